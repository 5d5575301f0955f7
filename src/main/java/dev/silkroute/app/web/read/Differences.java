package dev.silkroute.app.web.read;

import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The routes that differ between two times, as {@code bmp.rib_diff} returns them. The parameters are its arguments,
 * null for all.
 *
 * @param to the later time, or null for the present
 * @param peer the address of the peer
 * @param within a prefix that covers those of the routes
 * @param conditions further conditions on the rows, {@code v}
 */
record Differences(
        OffsetDateTime from,
        @Nullable OffsetDateTime to,
        @Nullable String router,
        @Nullable String peer,
        @Nullable String view,
        @Nullable String within,
        SqlQuery conditions)
        implements PrefixRanges.Source {
    private static final String ARGUMENTS =
            "(?, coalesce(?::timestamptz, now()), ?, ?::inet, ?, ?::cidr, ?::cidr, ?::cidr)";

    @Override
    public SqlQuery rows(@Nullable String first, @Nullable String last) {
        var query = new SqlQuery()
                .add("select v.*,")
                .add(RouteFilter.VALIDITIES_OF_DIFFERENCE, from, to)
                .add("from bmp.rib_diff");
        return addArguments(query, first, last).add("v where true").add(conditions);
    }

    @Override
    public SqlQuery events() {
        return addArguments(new SqlQuery().add("select * from bmp.events_between"), null, null);
    }

    private SqlQuery addArguments(SqlQuery query, @Nullable String first, @Nullable String last) {
        return query.add(ARGUMENTS, from, to, router, peer, view, within, first, last);
    }
}
