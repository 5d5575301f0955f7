package dev.silkroute.app.web.read;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows that an operation returns, in their order, from which pages are taken. A page begins after the key of the
 * last row of the page before (keyset pagination), so rows that appear or disappear meanwhile do not shift it.
 *
 * @param relation a SELECT with the columns and all that the keys use
 * @param columns the fields of a row
 * @param selectable further fields of a row, each only if a request selects it
 * @param keys the order; together they identify a row
 * @param descending whether the order is reversed
 * @param prefixes a SELECT of the prefixes, {@code v.prefix}, of all rows that have one, if the first key is the prefix
 *     and {@code relation} ends with conditions on {@code v}; null if the rows are to be sorted. It makes the first
 *     page of a large table as cheap as that of a small one: prefixes come in the order of an index, and the rows of
 *     each are read until the page is full.
 * @param ranges the same rows as {@code relation}, if they are to be read by ranges of their first key, the prefix;
 *     null to read them at once
 */
record Listing(
        SqlQuery relation,
        List<String> columns,
        List<String> selectable,
        List<Key> keys,
        boolean descending,
        @Nullable SqlQuery prefixes,
        PrefixRanges.@Nullable Source ranges) {
    /** Stands for all columns in a selection of fields. */
    private static final String ALL = "*";

    /**
     * One part of the order.
     *
     * @param expression over {@code r}, the relation
     * @param type the SQL type to which the text of a cursor is cast
     * @param nullable whether it may be null, which is the greatest value; for the first key only. Other keys are
     *     never null, because SQL does not compare rows that contain null.
     */
    record Key(String expression, String type, boolean nullable) {
        static Key of(String expression, String type) {
            return new Key(expression, type, false);
        }
    }

    static Listing of(SqlQuery relation, List<String> columns, Key... keys) {
        return of(relation, columns, List.of(keys));
    }

    static Listing of(SqlQuery relation, List<String> columns, List<Key> keys) {
        return new Listing(relation, columns, List.of(), keys, false, null, null);
    }

    Listing reversed() {
        return new Listing(relation, columns, selectable, keys, !descending, prefixes, ranges);
    }

    /** Returns the same rows, with further fields if a request selects them. */
    Listing withSelectable(List<String> fields) {
        return new Listing(relation, columns, fields, keys, descending, prefixes, ranges);
    }

    /** Returns the same rows, which are read prefix by prefix. */
    Listing byPrefix(@Nullable SqlQuery all) {
        return new Listing(relation, columns, selectable, keys, descending, all, ranges);
    }

    /** Returns the rows of a source, which are read by ranges of prefixes. */
    static Listing byRange(PrefixRanges.Source source, List<String> columns, List<Key> keys) {
        return new Listing(source.rows(null, null), columns, List.of(), keys, false, null, source);
    }

    /**
     * Returns the statements for a page: each row as JSON without its null fields, then its key.
     *
     * @param cursor the key after which the page begins, or null
     * @param limit the number of rows of each statement, or a negative number for all
     */
    PageQueries page(List<String> fields, @Nullable List<@Nullable String> cursor, long limit) {
        var first = keys.getFirst().expression();
        if (ranges != null && limit >= 0) {
            return new PrefixRanges(ranges, rows -> page(first, rows, fields, cursor, limit), cursor, limit);
        }
        return PageQueries.of(queries(first, fields, cursor, limit));
    }

    private List<SqlQuery> queries(
            String first, List<String> fields, @Nullable List<@Nullable String> cursor, long limit) {
        if (prefixes == null) {
            return List.of(page(first, relation, fields, cursor, limit));
        }
        var others = new SqlQuery().add(relation).add("and v.prefix is null");
        var last = page(first, others, fields, cursor, limit);
        if (cursor != null && cursor.getFirst() == null) {
            return List.of(last);
        }
        var each = new SqlQuery()
                .add("select w.*, p.prefix as place from (select distinct a.prefix from (")
                .add(prefixes)
                .add(") a");
        if (cursor != null) {
            each.add("where a.prefix >= ?::cidr", cursor.getFirst());
        }
        // Without OFFSET 0 the planner may join all rows before it sorts them.
        each.add("order by a.prefix) p cross join lateral (").add(relation).add("and v.prefix = p.prefix offset 0) w");
        return List.of(page("r.place", each, fields, cursor, limit), last);
    }

    /** @param first the first part of the order, of which the planner may know that the rows have it */
    private SqlQuery page(
            String first, SqlQuery rows, List<String> fields, @Nullable List<@Nullable String> cursor, long limit) {
        var query = new SqlQuery();
        var key = keys.stream().map(k -> k.expression() + "::text").collect(Collectors.joining(", "));
        query.add("select json_strip_nulls(row_to_json(j))::text, json_build_array(" + key + ")::text from (");
        query.add(rows);
        query.add(") r cross join lateral (select");
        query.add(fields.stream().map(field -> "r." + field).collect(Collectors.joining(", ")));
        query.add(") j");
        if (cursor != null) {
            query.add("where");
            addPosition(query, cursor);
        }
        var direction = descending ? " desc" : "";
        query.add(Stream.concat(Stream.of(first), keys.stream().skip(1).map(Key::expression))
                .map(expression -> expression + direction)
                .collect(Collectors.joining(", ", "order by ", "")));
        if (limit >= 0) {
            query.add("limit ?", limit);
        }
        return query;
    }

    private void addPosition(SqlQuery query, List<@Nullable String> cursor) {
        var first = keys.getFirst();
        if (!first.nullable()) {
            addRowComparison(query, keys, cursor);
        } else if (cursor.getFirst() == null) {
            query.add(first.expression() + " is null and");
            addRowComparison(query, keys.subList(1, keys.size()), cursor.subList(1, cursor.size()));
        } else {
            // The first condition follows from the second and is what an index can answer.
            var value = cursor.getFirst();
            query.add("(%1$s >= ?::%2$s or %1$s is null)".formatted(first.expression(), first.type()), value);
            query.add("and (%1$s > ?::%2$s or %1$s is null or".formatted(first.expression(), first.type()), value);
            addRowComparison(query, keys, cursor);
            query.add(")");
        }
    }

    private void addRowComparison(SqlQuery query, List<Key> parts, List<@Nullable String> values) {
        query.add(parts.stream().map(Key::expression).collect(Collectors.joining(", ", "(", ")")));
        query.add(descending ? "<" : ">");
        query.add(
                parts.stream().map(k -> "?::" + k.type()).collect(Collectors.joining(", ", "(", ")")),
                values.toArray());
    }

    /**
     * Returns the fields that a request selects: all columns by default.
     *
     * @param selection names separated by commas, of which {@value #ALL} stands for all columns, or null
     */
    List<String> fields(@Nullable String selection) {
        if (selection == null) {
            return columns;
        }
        Set<String> allowed = new LinkedHashSet<>(columns);
        allowed.addAll(selectable);
        Set<String> fields = new LinkedHashSet<>();
        for (var field : selection.split(",", -1)) {
            if (field.strip().equals(ALL)) {
                fields.addAll(columns);
            } else if (allowed.contains(field.strip())) {
                fields.add(field.strip());
            } else {
                throw Parameters.invalid(
                        "fields",
                        "contains '" + field + "', which is neither " + ALL + " nor one of "
                                + String.join(", ", allowed));
            }
        }
        return new ArrayList<>(fields);
    }
}
