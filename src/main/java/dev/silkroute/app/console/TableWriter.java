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

/** Aligned columns; their widths are those of the first rows, so that a large result need not be held. */
final class TableWriter implements ResultWriter {
    private static final int MEASURED_ROWS = 500;
    private static final Set<Integer> NUMBERS =
            Set.of(Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.NUMERIC, Types.REAL, Types.DOUBLE);

    private final Writer out;

    TableWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        int count = columns.getColumnCount();
        var held = new ArrayList<List<String>>();
        while (held.size() < MEASURED_ROWS && rows.next()) {
            held.add(row(rows, count));
        }
        var table = new TextTable(headers(columns, count), numeric(columns, count), held);
        out.write(table.head());
        long written = held.size();
        for (var row : held) {
            out.write(table.line(row));
        }
        while (rows.next()) {
            out.write(table.line(row(rows, count)));
            written++;
        }
        out.write("(" + written + (written == 1 ? " row)\n" : " rows)\n"));
    }

    private static List<String> headers(ResultSetMetaData columns, int count) throws SQLException {
        var headers = new ArrayList<String>();
        for (int i = 1; i <= count; i++) {
            headers.add(columns.getColumnLabel(i));
        }
        return headers;
    }

    private static boolean[] numeric(ResultSetMetaData columns, int count) throws SQLException {
        var numeric = new boolean[count];
        for (int i = 1; i <= count; i++) {
            numeric[i - 1] = NUMBERS.contains(columns.getColumnType(i));
        }
        return numeric;
    }

    private static List<String> row(ResultSet rows, int count) throws SQLException {
        var row = new ArrayList<String>(count);
        for (int i = 1; i <= count; i++) {
            row.add(shown(rows.getString(i)));
        }
        return row;
    }

    /** A value on one line, without what would move a terminal's cursor. */
    private static String shown(@Nullable String value) {
        return value == null ? "" : value.replaceAll("\\p{Cc}+", " ");
    }
}
