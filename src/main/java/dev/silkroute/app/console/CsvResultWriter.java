package dev.silkroute.app.console;

import java.io.IOException;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Writes CSV with a header line, in the format of {@link CsvLines}. */
final class CsvResultWriter implements ResultWriter {
    private final CsvLines out;

    CsvResultWriter(Writer out) {
        this.out = new CsvLines(out);
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        int count = columns.getColumnCount();
        for (int i = 1; i <= count; i++) {
            out.field(columns.getColumnLabel(i));
        }
        out.end();
        while (rows.next()) {
            for (int i = 1; i <= count; i++) {
                out.field(rows.getString(i));
            }
            out.end();
        }
    }
}
