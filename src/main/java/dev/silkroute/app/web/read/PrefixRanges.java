package dev.silkroute.app.web.read;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a page of rows that are computed from events: each reads a range of prefixes, so that a page joins
 * and sorts about as many events as it has rows. Events may make no row, so each range has {@value #GROWTH} times the
 * events of the one before: the number of ranges is at most logarithmic in that of events, and all together they read
 * little more than the last one. Not thread-safe.
 */
final class PrefixRanges implements PageQueries {
    private static final int GROWTH = 4;

    /**
     * The maximum number of events in the first range beyond the rows of the page: for those with the prefix of the
     * cursor, which belong to the page before, and for those that make no row.
     */
    private static final long MARGIN = 1000;

    /** The last prefix of all. Rows without a prefix come after it. */
    private static final String LAST = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128";

    /** Rows of which those in a range of prefixes can be read alone. */
    interface Source {
        /**
         * Returns a SELECT of the rows in a range.
         *
         * @param first the first prefix, or null for the beginning
         * @param last the last prefix, or null for the end, after the rows that have no prefix
         */
        SqlQuery rows(@Nullable String first, @Nullable String last);

        /** Returns a SELECT of the events of which the rows are made. They have a {@code prefix}, which may be null. */
        SqlQuery events();
    }

    private final Source source;
    private final UnaryOperator<SqlQuery> page;
    private @Nullable String position;
    private String comparison = ">=";
    private long size;
    private boolean hasPrefixes = true;
    private boolean complete;

    /**
     * @param page makes a statement for the page of rows
     * @param cursor the key after which the page begins, or null
     * @param size the number of rows in the page
     */
    PrefixRanges(Source source, UnaryOperator<SqlQuery> page, @Nullable List<@Nullable String> cursor, long size) {
        this.source = source;
        this.page = page;
        this.size = size + Math.min(size, MARGIN);
        if (cursor != null) {
            position = cursor.getFirst();
            hasPrefixes = position != null;
        }
    }

    @Override
    public @Nullable SqlQuery next(Connection connection) throws SQLException {
        if (complete) {
            return null;
        }
        if (!hasPrefixes) {
            return page.apply(rows(null, null, 0));
        }
        var range = new SqlQuery()
                .add("select min(e.prefix)::cidr::text, max(e.prefix)::cidr::text, count(*)")
                .add("from (select e.prefix from (")
                .add(source.events())
                .add(") e where e.prefix is not null");
        if (position != null) {
            range.add("and e.prefix " + comparison + " ?::cidr", position);
        }
        range.add("order by e.prefix limit ?) e", size);
        try (var statement = range.prepare(connection);
                var row = statement.executeQuery()) {
            row.next();
            return page.apply(rows(row.getString(1), row.getString(2), row.getLong(3)));
        }
    }

    private SqlQuery rows(@Nullable String first, @Nullable String last, long events) {
        complete = events < size;
        size *= GROWTH;
        position = last;
        comparison = ">";
        return first == null
                ? source.rows(LAST, null).add("and v.prefix is null")
                : source.rows(first, complete ? null : last);
    }
}
