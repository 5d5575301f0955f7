package dev.silkroute.perf.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.postgres.lane.JsonRows;
import dev.silkroute.postgres.lane.Lane;
import dev.silkroute.postgres.lane.LaneOffsets;
import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneRecord;
import dev.silkroute.postgres.lane.LaneTiming;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The station's lane of peers, fed with peers of a hundred routers that come up and go down: records as
 * {@code bmp.peers} has them.
 */
final class PeerEvents {
    private static final int ROUTERS = 100;
    private static final int PEERS = 100;

    private final Lane<byte[]> lane;
    private final UUID topicId = UUID.randomUUID();
    private long next;

    PeerEvents(DataSource database) {
        lane = new Lane<>(
                "peers",
                database,
                new LaneOffsets("peers", "bmp.lane_offset"),
                new JsonRows("bmp.apply_peer_events", "bmp.ensure_peers"),
                LaneTiming.DEFAULT);
    }

    long stored() {
        return next;
    }

    /** One transaction. */
    void store(int events) throws SQLException {
        List<LaneRecord<byte[]>> records = new ArrayList<>(events);
        for (int i = 0; i < events; i++) {
            LanePosition position =
                    new LanePosition("bmp.peers", topicId, 0, next, next == 0 ? LanePosition.UNKNOWN : next);
            records.add(new LaneRecord<>(position.toString(), position, record(next++)));
        }
        lane.write(records, () -> true);
    }

    private static byte[] record(long event) {
        long router = event % ROUTERS;
        long peer = event / ROUTERS % PEERS;
        boolean up = event / ROUTERS / PEERS % 2 == 0;
        String common =
                """
                {"event":"%s","collector":"c1","router":"router-%d","router_address":"192.0.2.%d","session_id":%d,"sequence":%d,\
                "received_at":"2026-01-15T12:00:00.000001Z","router_time":null,"peer_type":"global",\
                "peer_distinguisher":"0000000000000000","peer_address":"198.51.100.%d","peer_asn":64500,\
                "peer_bgp_id":"198.51.100.%d","rib_view":"adj-rib-in-pre",""".formatted(up ? "peer-up" : "peer-down", router, router, router + 1, event << 16, peer, peer);
        String own = up ? """
                "local_address":"192.0.2.%d","local_port":179,"remote_port":65535,"table_name":null,\
                "capabilities":{"sent":{"asn":64512,"hold_time":90},"received":{"asn":64500,"hold_time":180}}}""".formatted(router) : """
                "all_views":true,"known":true,"reason_code":1,"reason":"local, notification"}""";
        return (common + own).getBytes(UTF_8);
    }
}
