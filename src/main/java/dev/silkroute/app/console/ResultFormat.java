package dev.silkroute.app.console;

import java.io.Writer;

/** How a query's rows are written. */
public enum ResultFormat {
    table,
    csv,
    json;

    public ResultWriter writer(Writer out) {
        return switch (this) {
            case table -> new TableWriter(out);
            case csv -> new CsvWriter(out);
            case json -> new JsonWriter(out);
        };
    }
}
