package dev.silkroute.app.cli;

import java.io.Writer;

/** How a query's rows are written. */
enum ResultFormat {
    table,
    csv,
    json;

    ResultWriter writer(Writer out) {
        return switch (this) {
            case table -> new TableWriter(out);
            case csv -> new CsvWriter(out);
            case json -> new JsonWriter(out);
        };
    }
}
