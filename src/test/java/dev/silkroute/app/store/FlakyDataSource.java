package dev.silkroute.app.store;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A database that can be unavailable: it rejects connections then, as a stopped one does. */
final class FlakyDataSource implements DataSource {
    private final DataSource database;
    private volatile boolean unavailable;
    final AtomicInteger rejected = new AtomicInteger();

    FlakyDataSource(DataSource database) {
        this.database = database;
    }

    void setUnavailable(boolean isUnavailable) {
        unavailable = isUnavailable;
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (unavailable) {
            rejected.incrementAndGet();
            throw new SQLException("connection refused", "08001");
        }
        return database.getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        database.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return database.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return database.isWrapperFor(type);
    }
}
