package dev.silkroute.app.web.read;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an answer, read from the database as they are written, so that its memory does not depend on their
 * number. Written in parts by {@link #write}; must be closed. Not thread-safe.
 *
 * <pre>
 * {"last_updated": "…", "data": [{…},   {"prefix": …}        [{…},
 * {…}], "next": "…"}                    {"next": "…"}        {…}]
 * envelope                              lines                array
 * </pre>
 */
final class Page implements AutoCloseable {
    /** The form in which rows are combined. */
    enum Form {
        ENVELOPE,
        LINES,
        /** The whole listing; it has no cursor. */
        ARRAY
    }

    private static final int ROWS_PER_FETCH = 500;

    private final Connection connection;
    private final PageQueries queries;
    private final Form form;
    private final @Nullable String lastUpdated;
    private final long limit;
    private final Runnable onClose;
    private String pending;
    private Statement statement;
    private ResultSet rows;
    private long count;
    private String key = "";

    /**
     * @param start what precedes the rows of an envelope, as JSON; null for {@code last_updated} and {@code data}
     * @param lastUpdated until when the current state includes what routers have sent, or null
     * @param queries each has at most {@code limit + 1} rows
     * @param limit the number of rows in the page, or a negative number for all
     */
    Page(
            Connection connection,
            PageQueries queries,
            Form form,
            @Nullable String start,
            @Nullable String lastUpdated,
            long limit,
            Runnable onClose)
            throws SQLException {
        this.connection = connection;
        this.queries = queries;
        this.form = form;
        this.lastUpdated = lastUpdated;
        this.limit = limit;
        this.onClose = onClose;
        pending = switch (form) {
            case ENVELOPE -> start == null ? head(lastUpdated) : start;
            case LINES -> "";
            case ARRAY -> "[";
        };
        var first = Objects.requireNonNull(queries.next(connection)).prepare(connection);
        statement = first;
        rows = execute(first);
    }

    private static String head(@Nullable String lastUpdated) {
        return lastUpdated == null ? "{\"data\":[" : "{\"last_updated\":\"" + lastUpdated + "\",\"data\":[";
    }

    /** Returns until when the current state includes what routers have sent; null before anything was stored. */
    @Nullable
    String lastUpdated() {
        return lastUpdated;
    }

    private static ResultSet execute(PreparedStatement statement) throws SQLException {
        statement.setFetchSize(ROWS_PER_FETCH);
        return statement.executeQuery();
    }

    private boolean next() throws SQLException {
        while (!rows.next()) {
            var query = queries.next(connection);
            if (query == null) {
                return false;
            }
            statement.close();
            var following = query.prepare(connection);
            statement = following;
            rows = execute(following);
        }
        return true;
    }

    /**
     * Writes the next part of the page.
     *
     * @param maxChars the length of the part, exceeded by at most one row
     * @return whether the page is complete
     */
    boolean write(OutputStream out, long maxChars) throws SQLException, IOException {
        long written = 0;
        while (written < maxChars) {
            if (!next()) {
                put(out, end(null));
                return true;
            }
            if (count == limit) {
                put(out, end(Cursor.encode(key)));
                return true;
            }
            var row = rows.getString(1);
            key = rows.getString(2);
            var separator = form == Form.LINES ? "\n" : count > 0 && pending.isEmpty() ? "," : "";
            written += row.length() + 1;
            put(out, form == Form.LINES ? row + separator : separator + row);
            count++;
        }
        return false;
    }

    private String end(@Nullable String next) {
        var member = next == null ? "" : "\"next\":\"" + next + "\"";
        return switch (form) {
            case ENVELOPE -> "]" + (next == null ? "" : "," + member) + "}";
            case LINES -> next == null ? "" : "{" + member + "}\n";
            case ARRAY -> "]";
        };
    }

    private void put(OutputStream out, String text) throws IOException {
        out.write((pending + text).getBytes(StandardCharsets.UTF_8));
        pending = "";
    }

    @Override
    public void close() throws SQLException {
        try (connection) {
            statement.close();
            connection.rollback();
            connection.setAutoCommit(true);
        } finally {
            onClose.run();
        }
    }
}
