package dev.silkroute.app.web.read;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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

    private final Connection connection;
    private final Statement statement;
    private final ResultSet rows;
    private final Form form;
    private final long limit;
    private final Runnable onClose;
    private String pending;
    private long count;
    private String key = "";

    /**
     * @param head the members of the envelope before its rows, as JSON with a comma after each
     * @param rows the statement's result, of at most {@code limit + 1} rows
     * @param limit the number of rows in the page, or a negative number for all
     */
    Page(
            Connection connection,
            Statement statement,
            ResultSet rows,
            Form form,
            String head,
            long limit,
            Runnable onClose) {
        this.connection = connection;
        this.statement = statement;
        this.rows = rows;
        this.form = form;
        this.limit = limit;
        this.onClose = onClose;
        pending = switch (form) {
            case ENVELOPE -> "{" + head + "\"data\":[";
            case LINES -> "";
            case ARRAY -> "[";
        };
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
            if (!rows.next()) {
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
        try (connection;
                statement;
                rows) {
            connection.rollback();
            connection.setAutoCommit(true);
        } finally {
            onClose.run();
        }
    }
}
