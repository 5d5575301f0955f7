package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.app.console.StandardOutput;
import dev.silkroute.app.station.Database;
import java.io.IOException;
import java.io.Writer;
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
        try (var connection = Database.connect(station.jdbcUrl(jdbcUrl))) {
            query(connection);
            return 0;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }

    private void query(Connection connection) throws SQLException {
        // Rows come in portions only inside a transaction
        connection.setAutoCommit(false);
        try (var statements = connection.createStatement()) {
            statements.execute("set local search_path to bmp, public; set local time zone 'UTC'");
            statements.setFetchSize(ROWS_PER_FETCH);
            var lost = answer(statements, statements.execute(statement));
            if (lost == null) {
                connection.commit();
                return;
            }
            boolean changed = hasChanged(connection);
            if (changed) {
                // What a statement does mustn't depend on who reads its rows
                exhaust(statements);
                connection.commit();
            }
            StandardOutput.explain(lost, changed ? "; what the statement changes is changed" : "");
        }
    }

    /** Writes all results; what kept it from that, null where nothing did. */
    private @Nullable IOException answer(Statement statements, boolean first) throws SQLException {
        try (Writer out = StandardOutput.open()) {
            boolean rows = first;
            while (rows || statements.getUpdateCount() >= 0) {
                write(statements, rows, out);
                rows = statements.getMoreResults();
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private void write(Statement statements, boolean rows, Writer out) throws SQLException, IOException {
        if (rows) {
            format.writer(out).write(statements.getResultSet());
        } else if (format == ResultFormat.table) {
            out.write("(" + statements.getUpdateCount() + " rows changed)\n");
        }
    }

    /** Whether the transaction has written anything, by a function that a query calls too. */
    private static boolean hasChanged(Connection connection) throws SQLException {
        try (var asking = connection.createStatement();
                var id = asking.executeQuery("select pg_current_xact_id_if_assigned() is not null")) {
            return id.next() && id.getBoolean(1);
        }
    }

    /** Goes through the rest of the rows: some changes are made only as they are fetched. */
    private static void exhaust(Statement statements) throws SQLException {
        var rows = statements.getResultSet();
        while (rows != null || statements.getUpdateCount() >= 0) {
            while (rows != null && !rows.isClosed() && rows.next()) {
                // read only to be made
            }
            rows = statements.getMoreResults() ? statements.getResultSet() : null;
        }
    }
}
