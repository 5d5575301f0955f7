package dev.silkroute.perf.postgres;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/** A database of the server, reached as the station reaches its own: by TCP, by a pool, as its role. */
public final class Database implements AutoCloseable {
    private static final int CONNECTIONS = 4;

    private final Server server;
    private final String name;
    private final AgroalDataSource pool;

    Database(Server server, String name) throws SQLException {
        this.server = server;
        this.name = name;
        pool = AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                .connectionPoolConfiguration(pool -> pool.maxSize(CONNECTIONS)
                        .acquisitionTimeout(Duration.ofSeconds(10))
                        .connectionFactoryConfiguration(factory ->
                                factory.jdbcUrl(server.url(name, "silkroute") + "&reWriteBatchedInserts=true"))));
    }

    public String name() {
        return name;
    }

    public int port() {
        return server.port();
    }

    public DataSource source() {
        return pool;
    }

    /** Makes the station's tables. */
    public void migrate() {
        Flyway.configure().dataSource(pool).schemas("bmp").load().migrate();
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public long number(String query) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return Server.number(connection, query);
        }
    }

    /** The one row that a query answers, its values joined by a blank. */
    public String row(String query) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            List<String> values = new ArrayList<>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                values.add(String.valueOf(row.getString(i)));
            }
            return String.join(" ", values);
        }
    }

    /** Lets go of the connections, so that the database can be copied or dropped. */
    @Override
    public void close() {
        pool.close();
    }

    public void drop() throws SQLException {
        close();
        server.drop(name);
    }
}
