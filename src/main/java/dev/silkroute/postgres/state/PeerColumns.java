package dev.silkroute.postgres.state;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.BigEndian;
import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.route.PeerEntry;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Rows of {@code bmp.peer} as peers of route batches, one object for each peer and view. Not thread-safe. */
final class PeerColumns {
    /** The columns of a row {@code p}. */
    static final String NAMES = "p.peer_id, p.peer_type, p.distinguisher, inet_send(p.address), p.bgp_id, p.asn";

    /**
     * Selects the roles of peers, where their newest Peer Up has one. Apart from {@link #NAMES}, because few peers have
     * one, and each of a million routes has the columns of its peer.
     */
    static final String ROLES = """
        SELECT peer_id, max(capabilities->'session'->>'neighbor_role') FROM bmp.peer_state
        WHERE capabilities->'session' ? 'neighbor_role' GROUP BY peer_id\
        """;

    /** The offset of the address in the result of {@code inet_send}, after a header of four bytes. */
    private static final int ADDRESS_AT = 4;

    private static final int VIEWS = RibView.values().length;

    private final Map<Integer, PeerEntry> known = new HashMap<>();
    private final Map<Integer, NeighborRole> roles = new HashMap<>();
    private final IdentityHashMap<PeerEntry, NeighborRole> rolesOfEntries = new IdentityHashMap<>();

    /**
     * Reads a row of {@link #ROLES}; all roles are read before the peers.
     *
     * @throws InvalidRowException if there is no such role
     */
    void readRole(CopiedRow row) {
        try {
            roles.put(row.integer(1), NeighborRole.parse(row.text(2)));
        } catch (IllegalArgumentException e) {
            throw new InvalidRowException(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the role of a peer that {@link #read} has returned; empty if it is unknown. */
    Optional<NeighborRole> role(PeerEntry peer) {
        return Optional.ofNullable(rolesOfEntries.get(peer));
    }

    /**
     * The peer of {@link #NAMES} from a column on.
     *
     * @throws InvalidRowException if there is no such view
     */
    PeerEntry read(CopiedRow row, int column, int view) {
        if (view < 0 || view >= VIEWS) {
            throw new InvalidRowException(view + " is not a RIB view");
        }
        int key = row.integer(column) << 3 | view;
        PeerEntry peer = known.get(key);
        if (peer == null) {
            byte[] address = Objects.requireNonNull(row.bytes(column + 3));
            boolean ipv6 = address.length > ADDRESS_AT + 4;
            peer = new PeerEntry(
                    row.integer(column + 1),
                    row.number(column + 2),
                    ipv6,
                    ipv6 ? BigEndian.i64(address, ADDRESS_AT) : 0,
                    ipv6 ? BigEndian.i64(address, ADDRESS_AT + 8) : BigEndian.u32(address, ADDRESS_AT),
                    (int) row.number(column + 5),
                    (int) row.number(column + 4),
                    RibView.of(view));
            known.put(key, peer);
            NeighborRole role = roles.get(row.integer(column));
            if (role != null) {
                rolesOfEntries.put(peer, role);
            }
        }
        return peer;
    }
}
