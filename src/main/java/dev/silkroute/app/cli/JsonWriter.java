package dev.silkroute.app.cli;

import java.io.IOException;
import java.io.Writer;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
                elements(array.getArray(), type.substring(1));
            }
        } else {
            out.write(SqlJson.value(rows.getString(column), type));
        }
    }

    /** An array of arrays is an array of arrays here too. */
    private void elements(@Nullable Object array, String type) throws IOException {
        if (!(array instanceof Object[] values)) {
            out.write(SqlJson.value(array == null ? null : array.toString(), type.toLowerCase(Locale.ROOT)));
            return;
        }
        out.write('[');
        for (int i = 0; i < values.length; i++) {
            out.write(i == 0 ? "" : ",");
            elements(values[i], type);
        }
        out.write(']');
    }
}
