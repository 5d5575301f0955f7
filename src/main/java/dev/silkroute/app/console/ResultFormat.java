package dev.silkroute.app.console;

import java.io.Writer;

/** The formats in which the rows of a query can be written; the constants are the values of {@code --format}. */
public enum ResultFormat {
    table,
    csv,
    json;

    public ResultWriter writer(Writer out) {
        return switch (this) {
            case table -> new TableResultWriter(out);
            case csv -> new CsvResultWriter(out);
            case json -> new JsonResultWriter(out);
        };
    }
}
