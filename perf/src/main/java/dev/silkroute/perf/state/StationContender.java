package dev.silkroute.perf.state;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.sql.SQLException;

/** An arm that changes the station's tables. */
abstract class StationContender extends StorageContender {
    /** The tables are in it. */
    static final String TABLES = "station";

    /** So are the attribute sets of the changes. */
    static final String SETS_TOO = "station_sets";

    /** The check of a state, see {@link JbmpContender#CHECK}, with the number of stale routes. */
    static final String CHECK = """
            SELECT count(*), sum(hashtextextended(concat_ws('|', md5(router || '/' || host(peer_address))::uuid, prefix,
              next_hop, as_path_asns, med, communities), 0)), count(*) FILTER (WHERE stale)
            FROM bmp.v_rib""";

    StationContender(String name, String database, TransactionFeed feed) {
        super(name, database, feed);
    }

    @Override
    protected boolean copies() {
        return true;
    }

    @Override
    protected long size(Database database) throws SQLException {
        return database.number(
                "SELECT pg_total_relation_size('bmp.attribute_set') + (SELECT sum(pg_total_relation_size(relid))"
                        + " FROM pg_partition_tree('bmp.rib_route'))");
    }

    @Override
    protected String check(Database database) throws SQLException {
        return database.row(CHECK);
    }
}
