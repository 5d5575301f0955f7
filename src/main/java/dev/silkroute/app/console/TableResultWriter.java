package dev.silkroute.app.console;

import java.io.IOException;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes aligned columns. Their widths come from the first {@value #MEASURED_ROWS} rows, so that no result is held
 * whole.
 */
final class TableResultWriter implements ResultWriter {
    private static final int MEASURED_ROWS = 500;
    private static final Set<Integer> NUMERIC_TYPES =
            Set.of(Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.REAL, Types.DOUBLE);

    private final Writer out;

    TableResultWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = columns(rows.getMetaData());
        var measured = new ArrayList<List<String>>();
        while (measured.size() < MEASURED_ROWS && rows.next()) {
            measured.add(row(rows, columns.size()));
        }
        var table = new TextTable(columns, measured);
        out.write(table.header());
        for (var row : measured) {
            out.write(table.line(row));
        }
        long written = measured.size();
        while (rows.next()) {
            out.write(table.line(row(rows, columns.size())));
            written++;
        }
        out.write("(" + written + (written == 1 ? " row)\n" : " rows)\n"));
    }

    private static List<TextTable.Column> columns(ResultSetMetaData metadata) throws SQLException {
        var columns = new ArrayList<TextTable.Column>();
        for (int i = 1; i <= metadata.getColumnCount(); i++) {
            columns.add(new TextTable.Column(
                    metadata.getColumnLabel(i), NUMERIC_TYPES.contains(metadata.getColumnType(i))));
        }
        return columns;
    }

    private static List<String> row(ResultSet rows, int count) throws SQLException {
        var row = new ArrayList<String>(count);
        for (int i = 1; i <= count; i++) {
            row.add(printable(rows.getString(i)));
        }
        return row;
    }

    /** Returns the value on one line; control characters, which could move the terminal's cursor, become spaces. */
    private static String printable(@Nullable String value) {
        return value == null ? "" : value.replaceAll("\\p{Cc}+", " ");
    }
}
