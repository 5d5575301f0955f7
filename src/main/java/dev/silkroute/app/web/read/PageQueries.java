package dev.silkroute.app.web.read;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a page, whose rows follow each other. Each is requested when the rows of the one before are not
 * enough. Not thread-safe.
 */
@FunctionalInterface
interface PageQueries {
    /** Returns the next statement, null after the last one; there is at least one. */
    @Nullable
    SqlQuery next(Connection connection) throws SQLException;

    static PageQueries of(List<SqlQuery> queries) {
        var remaining = queries.iterator();
        return _ -> remaining.hasNext() ? remaining.next() : null;
    }
}
