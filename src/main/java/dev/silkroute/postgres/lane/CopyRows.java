package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.CopyBinary;
import dev.silkroute.postgres.copy.CopyTable;
import dev.silkroute.postgres.lane.TableColumns.Column;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows given as objects, for any table: each a list or an array of values in the order of the columns, or a map from column
 * to value. What the columns are is looked up in the catalog. A record's value is one row, or something to iterate over rows.
 */
public final class CopyRows implements LaneWriter<Object> {
    private final String table;
    private final List<String> names;

    /** @param names the columns; empty: those of the first row if it is a map, otherwise all that can be written to */
    public CopyRows(String table, List<String> names) {
        this.table = table;
        this.names = List.copyOf(names);
    }

    @Override
    public Prepared prepare(Connection connection, List<LaneRecord<Object>> records) throws SQLException {
        TableColumns columns = TableColumns.of(connection, table);
        return transaction -> copy(transaction.connection(), columns, records);
    }

    private long copy(Connection connection, TableColumns table, List<LaneRecord<Object>> records) throws SQLException {
        Sheet sheet = null;
        try {
            for (LaneRecord<Object> record : records) {
                Iterator<?> rows = rowsOf(record.value());
                while (rows.hasNext()) {
                    Object row = rows.next();
                    if (sheet == null) {
                        sheet = new Sheet(connection, this.table, columns(table, row));
                    }
                    sheet.write(row);
                }
            }
            return sheet == null ? 0 : sheet.copy.finish();
        } finally {
            if (sheet != null) {
                sheet.copy.close();
            }
        }
    }

    private List<Column> columns(TableColumns table, @Nullable Object first) {
        if (!names.isEmpty()) {
            return table.named(names);
        }
        if (!(first instanceof Map<?, ?> map)) {
            return table.all();
        }
        List<String> keys = new ArrayList<>();
        map.keySet().forEach(key -> keys.add(String.valueOf(key)));
        return table.named(keys);
    }

    private static Iterator<?> rowsOf(Object value) {
        return switch (value) {
            case Map<?, ?> row -> List.of(row).iterator();
            case List<?> list
            when !list.isEmpty() && !isRow(list.getFirst()) -> List.of(list).iterator();
            case Object[] array
            when array.length > 0 && !isRow(array[0]) -> List.<Object>of(array).iterator();
            case Object[] array -> List.of(array).iterator();
            case Iterable<?> rows -> rows.iterator();
            case Iterator<?> rows -> rows;
            case BaseStream<?, ?> rows -> rows.iterator();
            default ->
                throw new CopyRowException("rows are maps, lists or arrays, or something to iterate over such; not a "
                        + value.getClass().getName());
        };
    }

    private static boolean isRow(@Nullable Object value) {
        return value instanceof Map || value instanceof List || value instanceof Object[];
    }

    /** One COPY that is under way. */
    private static final class Sheet {
        private final String table;
        private final List<Column> columns;
        private final Set<String> names = new HashSet<>();
        private final CopyTable copy;
        private long number;

        Sheet(Connection connection, String table, List<Column> columns) throws SQLException {
            this.table = table;
            this.columns = columns;
            columns.forEach(column -> names.add(column.name()));
            copy = CopyTable.into(
                    connection,
                    table + " ("
                            + String.join(
                                    ", ", columns.stream().map(Column::quoted).toList()) + ")");
        }

        void write(@Nullable Object row) throws SQLException {
            number++;
            switch (row) {
                case Map<?, ?> map -> fromMap(map);
                case List<?> list -> fromList(list);
                case Object[] array -> fromList(java.util.Arrays.asList(array));
                case null, default ->
                    throw new CopyRowException("row " + number + " for table " + table
                            + " is neither a map nor a list nor an array but "
                            + (row == null ? "null" : row.getClass().getName()));
            }
        }

        private void fromMap(Map<?, ?> map) throws SQLException {
            CopyBinary out = copy.row(columns.size());
            int known = 0;
            for (Column column : columns) {
                known += map.containsKey(column.name()) ? 1 : 0;
                write(out, column, map.get(column.name()));
            }
            if (known < map.size()) {
                Set<Object> others = new HashSet<>(map.keySet());
                others.removeAll(names);
                throw new CopyRowException("row " + number + " for table " + table + " has " + others
                        + ", which is none of the columns " + names);
            }
        }

        private void fromList(List<?> values) throws SQLException {
            if (values.size() != columns.size()) {
                throw new CopyRowException("row " + number + " for table " + table + " has " + values.size()
                        + " values for " + columns.size() + " columns");
            }
            CopyBinary out = copy.row(columns.size());
            for (int i = 0; i < values.size(); i++) {
                write(out, columns.get(i), values.get(i));
            }
        }

        private void write(CopyBinary out, Column column, @Nullable Object value) {
            try {
                column.write(out, value);
            } catch (IllegalArgumentException | ArithmeticException | java.time.DateTimeException e) {
                throw new CopyRowException(
                        "row " + number + ", column " + column.name() + " (" + column.typeName() + ") of table " + table
                                + " can't take " + shown(value) + ": " + e.getMessage(),
                        e);
            }
        }

        private static String shown(@Nullable Object value) {
            String text = String.valueOf(value);
            return (value == null ? "" : value.getClass().getSimpleName() + " ")
                    + (text.length() > 60 ? text.substring(0, 60) + "…" : text);
        }
    }
}
