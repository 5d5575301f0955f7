package dev.silkroute.app.console;

import java.io.IOException;
import java.io.Writer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;

/** One array of objects, a row a line. Numbers, booleans, arrays and JSON stay what they are; times are ISO 8601. */
final class JsonWriter implements ResultWriter {
    private final Writer out;

    JsonWriter(Writer out) {
        this.out = out;
    }

    @Override
    public void write(ResultSet rows) throws SQLException, IOException {
        var columns = rows.getMetaData();
        var names = names(columns);
        out.write('[');
        for (boolean first = true; rows.next(); first = false) {
            out.write(first ? "\n" : ",\n");
            out.write('{');
            for (int i = 1; i <= names.size(); i++) {
                out.write(i == 1 ? "" : ",");
                out.write(names.get(i - 1));
                value(rows, i, columns.getColumnTypeName(i));
            }
            out.write('}');
        }
        out.write("\n]\n");
    }

    private static ArrayList<String> names(ResultSetMetaData columns) throws SQLException {
        var names = new ArrayList<String>();
        for (int i = 1; i <= columns.getColumnCount(); i++) {
            names.add(SqlJson.string(columns.getColumnLabel(i)) + ":");
        }
        return names;
    }

    private void value(ResultSet rows, int column, String type) throws SQLException, IOException {
        if (type.startsWith("_")) {
            var array = rows.getArray(column);
            if (array == null) {
                out.write("null");
            } else {
                elements(array);
            }
        } else {
            out.write(SqlJson.value(rows.getString(column), type));
        }
    }

    /**
     * An array of arrays is an array of arrays here too. As rows, elements are the texts that PostgreSQL sent; as objects the
     * driver would show times in this machine's zone, and bytes not at all.
     */
    private void elements(Array array) throws SQLException, IOException {
        try (var values = array.getResultSet()) {
            var type = values.getMetaData().getColumnTypeName(2);
            out.write('[');
            for (boolean first = true; values.next(); first = false) {
                out.write(first ? "" : ",");
                value(values, 2, type);
            }
            out.write(']');
        }
    }
}
