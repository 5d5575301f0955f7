package dev.silkroute.perf.state;

import dev.silkroute.perf.postgres.Database;
import dev.silkroute.perf.postgres.JbmpState;
import dev.silkroute.perf.postgres.StorageContender;
import dev.silkroute.perf.postgres.TransactionFeed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** jBMP's partitions, indexes and statements, from the same records. */
final class JbmpContender extends StorageContender {
    static final String DATABASE = "jbmp";

    /** The number of routes, and a digest of the columns that both schemas have; signed values are read unsigned. */
    static final String CHECK = """
            SELECT count(*), sum(hashtextextended(concat_ws('|', peer_id, prefix, next_hop, as_path_asns,
              med::bigint & 4294967295, texts), 0)), 0
            FROM rib_state,
              LATERAL (SELECT CASE WHEN as_path IS NOT NULL THEN
                ARRAY(SELECT asn::bigint & 4294967295 FROM unnest(as_path) asn) END AS as_path_asns) a,
              LATERAL (SELECT CASE WHEN communities IS NOT NULL THEN ARRAY(
                SELECT (c::bigint >> 16 & 65535) || ':' || (c & 65535) FROM unnest(communities) c) END AS texts) b""";

    JbmpContender(String name, TransactionFeed feed) {
        super(name, DATABASE, feed);
    }

    @Override
    protected boolean copies() {
        return true;
    }

    @Override
    protected void run(Database database) throws Exception {
        JbmpState state = new JbmpState();
        try (Connection connection = database.source().getConnection()) {
            for (List<byte[]> records : feed().transactions()) {
                state.write(connection, records);
            }
        }
    }

    @Override
    protected long size(Database database) throws SQLException {
        return database.number("SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('rib_state')");
    }

    @Override
    protected String check(Database database) throws SQLException {
        return database.row(CHECK);
    }
}
