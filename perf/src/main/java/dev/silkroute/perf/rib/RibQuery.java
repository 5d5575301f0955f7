package dev.silkroute.perf.rib;

/**
 * The queries to both sides. {@code $P}, {@code $O} and {@code $A} stand for the peer, the origin AS, and the first AS
 * of the path of one of its routes.
 */
enum RibQuery {
    PEER("count of a peer's routes", "SELECT count(*) FROM route WHERE peer = $P", true),
    ORIGIN("count of an origin AS's routes", "SELECT count(*) FROM route WHERE origin_as = $O", true),
    FAMILY("count of a family's routes", "SELECT count(*) FROM route WHERE family = 257", true),
    BOTH(
            "count of a peer's routes of an origin AS",
            "SELECT count(*) FROM route WHERE peer = $P AND origin_as = $O",
            false),
    WITHIN(
            "count of routes within 10.0.0.0/12",
            "SELECT count(*) FROM route WHERE prefix <<= '10.0.0.0/12'::cidr",
            false),
    AND(
            "count of an origin AS's routes whose path has another AS",
            "SELECT count(*) FROM route WHERE origin_as = $O AND path @> ARRAY[$A::bigint]",
            false),
    PATH("count of routes whose path has an AS", "SELECT count(*) FROM route WHERE path @> ARRAY[$O::bigint]", false),
    PAGE(
            "a peer's routes, sorted by prefix, 100 skipped, 20 of them as text",
            "SELECT prefix::text || ' ' || origin_as FROM route WHERE peer = $P ORDER BY prefix OFFSET 100 LIMIT 20",
            false),
    ORIGIN_PAGE(
            "an origin AS's routes, sorted by prefix, 1 skipped, 5 of them as text",
            "SELECT prefix::text || ' ' || origin_as FROM route WHERE origin_as = $O"
                    + " ORDER BY prefix, peer OFFSET 1 LIMIT 5",
            false);

    final String text;
    private final String sql;

    /** True if an index or a counter answers it, so that its time must not depend on the number of routes. */
    final boolean counter;

    RibQuery(String text, String sql, boolean counter) {
        this.text = text;
        this.sql = sql;
        this.counter = counter;
    }

    /** Returns whether values of attributes select the routes, so that both sides have an index for it. */
    boolean byAttributes() {
        return this == BOTH || this == AND || this == PATH || this == ORIGIN_PAGE;
    }

    /** Returns whether the result is a list of routes, not a number. */
    boolean page() {
        return this == PAGE || this == ORIGIN_PAGE;
    }

    int skip() {
        return this == PAGE ? 100 : 1;
    }

    int limit() {
        return this == PAGE ? 20 : 5;
    }

    String sql(int peer, QueryTable table) {
        return sql.replace("$P", Integer.toString(peer))
                .replace("$O", Integer.toString(table.originAs()))
                .replace("$A", Integer.toString(table.firstAs()));
    }
}
