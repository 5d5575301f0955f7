package dev.silkroute.app.console;

import java.io.IOException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.QuoteMode;
import org.jspecify.annotations.Nullable;

/**
 * Writes lines of CSV as {@code psql --csv} does: fields are quoted only where they must be, lines end with LF, a null
 * is an empty field and an empty string is {@code ""}.
 */
final class CsvLines {
    private static final CSVFormat MINIMAL = CSVFormat.RFC4180
            .builder()
            .setRecordSeparator('\n')
            .setNullString("")
            .setQuoteMode(QuoteMode.MINIMAL)
            .get();

    /** The format of empty strings, which must differ from nulls. */
    private static final CSVFormat QUOTED =
            MINIMAL.builder().setQuoteMode(QuoteMode.ALL_NON_NULL).get();

    private final Appendable out;
    private boolean isFirst = true;

    CsvLines(Appendable out) {
        this.out = out;
    }

    /** Adds a field to the line. */
    void field(@Nullable String value) throws IOException {
        var format = "".equals(value) ? QUOTED : MINIMAL;
        format.print(value, out, isFirst);
        isFirst = false;
    }

    /** Ends the line. */
    void end() throws IOException {
        MINIMAL.println(out);
        isFirst = true;
    }
}
