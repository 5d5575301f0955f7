package dev.silkroute.postgres;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.BigEndian;
import dev.silkroute.route.PeerEntry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Rows of {@code bmp.peer} as peers of route batches, one object for each peer and view. Not thread-safe. */
final class PeerColumns {
    /** Of a row {@code p}. */
    static final String NAMES = "p.peer_id, p.peer_type, p.distinguisher, inet_send(p.address), p.bgp_id, p.asn";

    /** Four bytes come before an address in what {@code inet_send} says of it. */
    private static final int ADDRESS_AT = 4;

    private final Map<Integer, PeerEntry> known = new HashMap<>();

    /** The peer of {@link #NAMES} from a column on. */
    PeerEntry read(ResultSet row, int column, int view) throws SQLException {
        int key = row.getInt(column) << 3 | view;
        PeerEntry peer = known.get(key);
        if (peer == null) {
            byte[] address = row.getBytes(column + 3);
            boolean ipv6 = address.length > ADDRESS_AT + 4;
            peer = new PeerEntry(
                    row.getInt(column + 1),
                    row.getLong(column + 2),
                    ipv6,
                    ipv6 ? BigEndian.i64(address, ADDRESS_AT) : 0,
                    ipv6 ? BigEndian.i64(address, ADDRESS_AT + 8) : BigEndian.u32(address, ADDRESS_AT),
                    (int) row.getLong(column + 5),
                    (int) row.getLong(column + 4),
                    RibView.of(view));
            known.put(key, peer);
        }
        return peer;
    }
}
