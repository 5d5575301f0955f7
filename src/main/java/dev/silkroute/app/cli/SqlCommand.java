package dev.silkroute.app.cli;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.station.Database;
import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute sql}: a query of a running station's database. */
@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Queries the database of a running station: views v_rib, v_route_history, v_peers and more, in schema bmp.")
public final class SqlCommand implements Callable<Integer> {
    private static final int ROWS_PER_FETCH = 2_000;

    @Parameters(paramLabel = "SQL", arity = "1", description = "The statement")
    String statement = "";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json (${DEFAULT-VALUE})")
    ResultFormat format = ResultFormat.table;

    @Mixin
    StationLocation station = new StationLocation();

    @Option(names = "--jdbc-url", paramLabel = "URL", description = "The database itself, instead of --data-dir")
    @Nullable
    String jdbcUrl;

    @Override
    public Integer call() {
        var url = jdbcUrl == null ? station.jdbcUrl() : jdbcUrl;
        try (var connection = Database.connect(url)) {
            query(connection);
            return 0;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        } catch (IOException e) {
            // whoever read the rows has gone, as head does
            return 0;
        }
    }

    private void query(Connection connection) throws SQLException, IOException {
        // Rows come in portions only inside a transaction
        connection.setAutoCommit(false);
        try (var statements = connection.createStatement();
                Writer out = standardOutput()) {
            statements.execute("set local search_path to bmp, public; set local time zone 'UTC'");
            statements.setFetchSize(ROWS_PER_FETCH);
            boolean rows = statements.execute(statement);
            while (rows || statements.getUpdateCount() >= 0) {
                write(statements, rows, out);
                rows = statements.getMoreResults();
            }
            connection.commit();
        }
    }

    private void write(Statement statements, boolean rows, Writer out) throws SQLException, IOException {
        if (rows) {
            try (var result = statements.getResultSet()) {
                format.writer(out).write(result);
            }
        } else if (format == ResultFormat.table) {
            out.write("(" + statements.getUpdateCount() + " rows changed)\n");
        }
    }

    /** Not {@code System.out}, which would take every row on and say nothing when its reader has gone. */
    private static Writer standardOutput() {
        return new BufferedWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), 1 << 16);
    }
}
