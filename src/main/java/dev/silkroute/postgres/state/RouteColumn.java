package dev.silkroute.postgres.state;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The columns of {@code bmp.rib_route} that the merge compares and copies, listed once: SQL text is generated from
 * these lists. A new column that describes a route belongs to {@link #VALUE} and to {@link RouteFold.Value}.
 *
 * @param name the name
 * @param type the SQL type
 */
record RouteColumn(String name, String type) {
    /** The columns that identify a route, in the order in which {@link RibKey#write} writes them. */
    static final List<RouteColumn> KEY = List.of(
            new RouteColumn("prefix", "cidr"),
            new RouteColumn("nlri", "bytea"),
            new RouteColumn("rd", "bigint"),
            new RouteColumn("path_id", "bigint"),
            new RouteColumn("peer_id", "integer"),
            new RouteColumn("family", "integer"),
            new RouteColumn("rib_view", "smallint"));

    /** The columns that describe it. A route has changed if one of them differs. */
    static final List<RouteColumn> VALUE = List.of(
            new RouteColumn("attribute_hash", "uuid"),
            new RouteColumn("labels", "integer[]"),
            new RouteColumn("nlri_as_text", "text"),
            new RouteColumn("path_status", "bigint"),
            new RouteColumn("path_reason", "integer"));

    /** {@code s.prefix, s.nlri, …}. */
    static String list(List<RouteColumn> columns, String prefix) {
        return columns.stream().map(column -> prefix + column.name).collect(Collectors.joining(", "));
    }

    /** {@code prefix cidr, nlri bytea, …}. */
    static String definitions(List<RouteColumn> columns) {
        return columns.stream().map(column -> column.name + " " + column.type).collect(Collectors.joining(", "));
    }

    /** {@code r.prefix = s.prefix AND …}, for columns that are never null. */
    static String equal(List<RouteColumn> columns) {
        return compare(columns, " = ", " AND ");
    }

    /** {@code r.labels IS NOT DISTINCT FROM s.labels AND …}. */
    static String same(List<RouteColumn> columns) {
        return compare(columns, " IS NOT DISTINCT FROM ", " AND ");
    }

    /** {@code r.labels IS DISTINCT FROM s.labels OR …}. */
    static String different(List<RouteColumn> columns) {
        return compare(columns, " IS DISTINCT FROM ", " OR ");
    }

    private static String compare(List<RouteColumn> columns, String operator, String separator) {
        return columns.stream()
                .map(column -> "r." + column.name + operator + "s." + column.name)
                .collect(Collectors.joining(separator));
    }

    /** {@code labels = excluded.labels, …}. */
    static String assign(List<RouteColumn> columns, String from) {
        return columns.stream()
                .map(column -> column.name + " = " + from + column.name)
                .collect(Collectors.joining(", "));
    }
}
