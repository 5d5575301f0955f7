package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.CopyBinary;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of a table as the catalog has them. Immutable. */
final class TableColumns {
    private static final String FIND = """
            SELECT a.attname, t.typname, t.typtype::text, a.attgenerated <> '', e.oid, e.typname, e.typtype::text,
              quote_ident(a.attname), b.typname
            FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
              LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
              LEFT JOIN pg_type b ON b.oid = t.typbasetype
            WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped
            ORDER BY a.attnum""";

    private final String table;
    private final Map<String, Column> columns = new LinkedHashMap<>();

    /**
     * One column.
     *
     * @param type null: there is no way to write it
     * @param elementOid of an array's elements, 0 if it is none
     */
    record Column(
            String name,
            String quoted,
            String typeName,
            @Nullable ColumnType type,
            int elementOid,
            boolean generated) {
        void write(CopyBinary out, @Nullable Object value) {
            if (value == null) {
                out.nullField();
            } else if (type == null) {
                throw new IllegalArgumentException("it is of a type that can't be written");
            } else if (elementOid == 0) {
                type.write(out, value);
            } else {
                out.array(elementOid, ArrayValues.of(value), type::write);
            }
        }
    }

    private TableColumns(String table) {
        this.table = table;
    }

    static TableColumns of(Connection connection, String table) throws SQLException {
        TableColumns found = new TableColumns(table);
        try (PreparedStatement query = connection.prepareStatement(FIND)) {
            query.setString(1, table);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    found.add(row);
                }
            }
        }
        if (found.columns.isEmpty()) {
            throw new SQLException("there is no table " + table, "42P01");
        }
        return found;
    }

    private void add(ResultSet row) throws SQLException {
        String name = row.getString(1);
        int elementOid = (int) row.getLong(5);
        String typeName = elementOid == 0 ? row.getString(2) : row.getString(6);
        String kind = elementOid == 0 ? row.getString(3) : row.getString(7);
        ColumnType type = switch (kind) {
            case "e" -> ColumnType.ofEnum();
            case "d" -> ColumnType.of(row.getString(9));
            default -> ColumnType.of(typeName);
        };
        columns.put(
                name,
                new Column(
                        name,
                        row.getString(8),
                        elementOid == 0 ? typeName : typeName + "[]",
                        type,
                        elementOid,
                        row.getBoolean(4)));
    }

    /** All that can be written to. */
    List<Column> all() {
        return columns.values().stream().filter(column -> !column.generated).toList();
    }

    /** @throws CopyRowException if there is no such column */
    List<Column> named(Iterable<String> names) {
        List<Column> list = new ArrayList<>();
        for (String name : names) {
            Column column = columns.get(name);
            if (column == null) {
                throw new CopyRowException(
                        "table " + table + " has no column " + name + ", but " + String.join(", ", columns.keySet()));
            }
            list.add(column);
        }
        return list;
    }
}
