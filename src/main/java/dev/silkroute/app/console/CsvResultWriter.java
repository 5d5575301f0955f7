package dev.silkroute.app.console;

import java.io.IOException;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;

/**
 * Writes CSV with a header line as {@code psql --csv} does: fields are quoted only where they must be, lines end with
 * LF, a null is an empty field and an empty string is {@code ""}.
 */
final class CsvResultWriter implements ResultWriter {
    private static final CSVFormat MINIMAL = CSVFormat.RFC4180
            .builder()
            .setRecordSeparator('\n')
            .setNullString("")
            .setQuoteMode(QuoteMode.MINIMAL)
            .get();

    /** For empty strings, which must differ from nulls. */
    private static final CSVFormat QUOTED =
            MINIMAL.builder().setQuoteMode(QuoteMode.ALL_NON_NULL).get();

    private final Writer out;

    CsvResultWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        int count = columns.getColumnCount();
        for (int i = 1; i <= count; i++) {
            field(columns.getColumnLabel(i), i == 1);
        }
        MINIMAL.println(out);
        while (rows.next()) {
            for (int i = 1; i <= count; i++) {
                field(rows.getString(i), i == 1);
            }
            MINIMAL.println(out);
        }
    }

    private void field(@Nullable String value, boolean isFirst) throws IOException {
        var format = "".equals(value) ? QUOTED : MINIMAL;
        format.print(value, out, isFirst);
    }
}
