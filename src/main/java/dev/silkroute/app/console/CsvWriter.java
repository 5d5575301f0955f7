package dev.silkroute.app.console;

import java.io.IOException;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** RFC 4180 with a header line; a null is nothing, an empty text is {@code ""}. */
final class CsvWriter implements ResultWriter {
    private final Writer out;

    CsvWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        int count = columns.getColumnCount();
        for (int i = 1; i <= count; i++) {
            field(columns.getColumnLabel(i), i);
        }
        out.write("\r\n");
        while (rows.next()) {
            for (int i = 1; i <= count; i++) {
                field(rows.getString(i), i);
            }
            out.write("\r\n");
        }
    }

    private void field(@Nullable String value, int column) throws IOException {
        if (column > 1) {
            out.write(',');
        }
        if (value != null) {
            out.write(quoted(value));
        }
    }

    static String quoted(String value) {
        boolean plain =
                !value.isEmpty() && value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
