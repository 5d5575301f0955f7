package dev.silkroute.perf.history;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.sql.SQLException;

/** An arm that fills the station's tables. */
abstract class StationContender extends StorageContender {
    static final String COLUMNS =
            "received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view,"
                    + " action, synthetic, attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason";

    /** Rows and a digest of them, whatever their order; the same of attribute sets; distinct peers by name. */
    static final String CHECK = """
            SELECT (SELECT count(*) FROM bmp.route_event),
              (SELECT sum(hashtextextended(concat_ws('|', received_at, router_time, e.session_id, sequence, path_id, rd,
                 r.name, p.address, family, rib_view, action, synthetic, attribute_hash, prefix, nlri, labels, nlri_as_text,
                 path_status, path_reason), 0))
               FROM bmp.route_event e JOIN bmp.peer p USING (peer_id) JOIN bmp.router r USING (router_id)),
              (SELECT count(*) FROM bmp.attribute_set),
              (SELECT sum(hashtextextended(t::text, 0)) FROM bmp.attribute_set t)""";

    /** The index that the station builds for a closed day. */
    private static final String LATE_INDEX =
            "CREATE INDEX closed_day ON bmp.route_event_20260115 (prefix, received_at) WITH (fillfactor = 100)";

    private final boolean setsKnown;

    /** @param setsKnown whether all attribute sets are there at the beginning, or none */
    StationContender(String name, boolean setsKnown, TransactionFeed feed) {
        super(name, setsKnown ? HistoryScenario.KNOWN : HistoryScenario.NEW, feed);
        this.setsKnown = setsKnown;
    }

    @Override
    protected void reset(Database database) throws SQLException {
        database.execute("DROP INDEX IF EXISTS bmp.closed_day");
        database.execute("TRUNCATE bmp.route_event" + (setsKnown ? "" : ", bmp.attribute_set"));
    }

    @Override
    protected boolean later(Database database) throws SQLException {
        database.execute(LATE_INDEX);
        return true;
    }

    @Override
    protected long size(Database database) throws SQLException {
        return database.number(
                "SELECT pg_total_relation_size('bmp.attribute_set') + (SELECT sum(pg_total_relation_size(relid))"
                        + " FROM pg_partition_tree('bmp.route_event'))");
    }

    @Override
    protected String check(Database database) throws SQLException {
        return database.row(CHECK);
    }
}
