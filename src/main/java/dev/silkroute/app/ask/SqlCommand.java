package dev.silkroute.app.ask;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import dev.silkroute.app.console.ResultFormat;
import dev.silkroute.app.console.StandardInput;
import dev.silkroute.app.console.StandardOutput;
import dev.silkroute.app.station.Database;
import java.io.IOException;
import java.io.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute sql}: runs statements in the database of a running station. */
@Command(
        name = "sql",
        description = {
            "Queries the database of a running station: views v_rib, v_route_history, v_peers and more, in schema bmp.",
            "Several statements run in one transaction."
        })
public final class SqlCommand extends ConsoleCommand {
    private static final int ROWS_PER_FETCH = 2_000;
    private static final int MAX_INPUT_BYTES = 16 << 20;
    private static final String READ_ONLY_TRANSACTION = "25006";

    @Parameters(
            paramLabel = "SQL",
            arity = "0..1",
            description = "The statements, separated by semicolons; - or none to read them from standard input")
    @Nullable
    String statements;

    @Option(
            names = "--read-only",
            description = "Reject statements that change the database; the default unless it is the embedded one")
    boolean readOnly;

    @Option(names = "--read-write", description = "Allow statements that change the database")
    boolean readWrite;

    @Mixin
    OutputOptions output = new OutputOptions();

    @Mixin
    StationLocation station = new StationLocation();

    @Mixin
    DatabaseOption database = new DatabaseOption();

    @Override
    public Integer call() {
        if (readOnly && readWrite) {
            throw new UsageError("--read-only and --read-write exclude each other");
        }
        var text =
                statements == null || statements.equals("-") ? StandardInput.read("SQL", MAX_INPUT_BYTES) : statements;
        try (var connection = Database.connect(station.jdbcUrl(database.jdbcUrl()))) {
            query(connection, text, readOnly || (!readWrite && !station.isEmbeddedDatabase(database.jdbcUrl())));
            return ExitCode.OK;
        } catch (SQLException e) {
            var hint = READ_ONLY_TRANSACTION.equals(e.getSQLState()) ? "; --read-write allows changes" : "";
            throw new OperatorError(Database.reason(e) + hint, e);
        }
    }

    /** Runs all statements in one transaction. */
    private void query(Connection connection, String text, boolean onlyReads) throws SQLException {
        try (var statement = connection.createStatement()) {
            if (onlyReads) {
                statement.execute("set session characteristics as transaction read only");
            }
            // The driver fetches rows in batches only inside a transaction.
            connection.setAutoCommit(false);
            statement.execute("set local search_path to bmp, public; set local time zone 'UTC'");
            statement.setFetchSize(ROWS_PER_FETCH);
            var writeFailure = writeResults(statement, statement.execute(text));
            if (writeFailure == null) {
                connection.commit();
                return;
            }
            boolean changed = hasChanged(connection);
            if (changed) {
                // The effect of a statement must not depend on whether its output could be written.
                fetchRemaining(statement);
                connection.commit();
            }
            StandardOutput.reportUnlessClosed(
                    writeFailure, changed ? "; the changes that the statement made are committed" : "");
        }
    }

    /** Writes all results and returns the exception that prevented it, or null. */
    private @Nullable IOException writeResults(Statement statement, boolean firstHasRows) throws SQLException {
        try (Writer out = StandardOutput.open()) {
            boolean hasRows = firstHasRows;
            while (hasRows || statement.getUpdateCount() >= 0) {
                writeResult(statement, hasRows, out);
                hasRows = statement.getMoreResults();
            }
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private void writeResult(Statement statement, boolean hasRows, Writer out) throws SQLException, IOException {
        var format = output.format();
        if (hasRows) {
            format.writer(out).write(statement.getResultSet());
        } else if (format == ResultFormat.table) {
            int count = statement.getUpdateCount();
            out.write("(" + count + (count == 1 ? " row changed)\n" : " rows changed)\n"));
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
    private static void fetchRemaining(Statement statement) throws SQLException {
        var rows = statement.getResultSet();
        while (rows != null || statement.getUpdateCount() >= 0) {
            while (rows != null && !rows.isClosed() && rows.next()) {
                // The values are not needed.
            }
            rows = statement.getMoreResults() ? statement.getResultSet() : null;
        }
    }
}
