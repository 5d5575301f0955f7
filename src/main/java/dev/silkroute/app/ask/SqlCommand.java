package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
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

/** {@code silkroute sql}: runs a query in the database of a running station. */
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
            description = "Output format: table, csv or json (${DEFAULT-VALUE})")
    ResultFormat format = ResultFormat.table;

    @Mixin
    StationLocation station = new StationLocation();

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "JDBC URL of the database, used instead of --data-dir")
    @Nullable
    String jdbcUrl;

    @Override
    public Integer call() {
        try (var connection = Database.connect(station.jdbcUrl(jdbcUrl))) {
            query(connection);
            return ExitCode.OK;
        } catch (SQLException e) {
            throw new OperatorError(Database.reason(e), e);
        }
    }

    private void query(Connection connection) throws SQLException {
        // The driver fetches rows in batches only inside a transaction.
        connection.setAutoCommit(false);
        try (var statements = connection.createStatement()) {
            statements.execute("set local search_path to bmp, public; set local time zone 'UTC'");
            statements.setFetchSize(ROWS_PER_FETCH);
            var writeFailure = writeResults(statements, statements.execute(statement));
            if (writeFailure == null) {
                connection.commit();
                return;
            }
            boolean changed = hasChanged(connection);
            if (changed) {
                // The effect of a statement must not depend on whether its output could be written.
                fetchRemaining(statements);
                connection.commit();
            }
            StandardOutput.reportUnlessClosed(
                    writeFailure, changed ? "; the changes that the statement made are committed" : "");
        }
    }

    /** Writes all results and returns the exception that prevented it, or null. */
    private @Nullable IOException writeResults(Statement statements, boolean firstHasRows) throws SQLException {
        try (Writer out = StandardOutput.open()) {
            boolean hasRows = firstHasRows;
            while (hasRows || statements.getUpdateCount() >= 0) {
                writeResult(statements, hasRows, out);
                hasRows = statements.getMoreResults();
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private void writeResult(Statement statements, boolean hasRows, Writer out) throws SQLException, IOException {
        if (hasRows) {
            format.writer(out).write(statements.getResultSet());
        } else if (format == ResultFormat.table) {
            out.write("(" + statements.getUpdateCount() + " rows changed)\n");
        }
    }

    /** Returns whether the transaction has written anything; a SELECT may, through a function that it calls. */
    private static boolean hasChanged(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var id = statement.executeQuery("select pg_current_xact_id_if_assigned() is not null")) {
            return id.next() && id.getBoolean(1);
        }
    }

    /** Reads the remaining rows, because functions with side effects are evaluated only as their rows are fetched. */
    private static void fetchRemaining(Statement statements) throws SQLException {
        var rows = statements.getResultSet();
        while (rows != null || statements.getUpdateCount() >= 0) {
            while (rows != null && !rows.isClosed() && rows.next()) {
                // The values are not needed.
            }
            rows = statements.getMoreResults() ? statements.getResultSet() : null;
        }
    }
}
