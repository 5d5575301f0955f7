package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One record of {@code bmp.routes}: an immutable view of its bytes. {@link WireFormat} draws the layout.
 *
 * <p>Safe to share between threads as long as its bytes do not change, except for the hashes of attribute sets,
 * which one thread at a time may use. Cursors are not thread-safe.
 */
public final class RouteBatch {
    static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] bytes;
    private final int directoryAt;
    private final int groupsAt;
    private final PeerEntry[] peers;
    private final String collector;
    private final String router;
    private final String routerAddress;
    /** Null until a hash is asked for. */
    private @Nullable AttributeSetHashes hashes;

    private RouteBatch(byte[] bytes) {
        this.bytes = bytes;
        directoryAt = u31(DIRECTORY_AT, "offset of the attribute directory");
        groupsAt = u31(GROUPS_AT, "offset of the groups");
        int at = NAMES_AT;
        collector = text(at, "collector");
        at += 2 + u16(at);
        router = text(at, "router");
        at += 2 + u16(at);
        routerAddress = text(at, "router address");
        at += 2 + u16(at);
        peers = new PeerEntry[u16(PEERS)];
        require(at, (long) peers.length * PEER_BYTES, "peer table");
        for (int i = 0; i < peers.length; i++, at += PEER_BYTES) {
            peers[i] = readPeer(at);
        }
        if (directoryAt != at) {
            throw new WireFormatException("attribute directory does not start at " + directoryAt, DIRECTORY_AT);
        }
    }

    /**
     * Validates a record (version, length, checksum, every table, every group and the framing of every NLRI) and
     * returns a view of it, which keeps the array.
     *
     * @throws WireFormatException if the record is not valid
     */
    public static RouteBatch read(byte[] bytes) {
        checkEnvelope(bytes);
        RouteBatch batch = new RouteBatch(bytes);
        batch.checkAttributeSets();
        batch.checkGroups();
        return batch;
    }

    private static void checkEnvelope(byte[] bytes) {
        if (bytes.length < NAMES_AT) {
            throw new WireFormatException("truncated: shorter than the header of " + NAMES_AT + " bytes", bytes.length);
        }
        if ((int) INT.get(bytes, 0) >>> 8 != MAGIC) {
            throw new WireFormatException("not a route batch: wrong magic", 0);
        }
        if (bytes[3] != VERSION) {
            throw new WireFormatException(
                    "unsupported wire format version " + (bytes[3] & 0xFF) + " (this build reads version " + VERSION
                            + ")",
                    3);
        }
        int length = (int) INT.get(bytes, LENGTH);
        if (length != bytes.length) {
            throw new WireFormatException(
                    "truncated or padded: length field is " + Integer.toUnsignedString(length) + ", record has "
                            + bytes.length + " bytes",
                    Math.min(bytes.length, Math.max(length, 0)));
        }
        int crc = (int) INT.get(bytes, CRC);
        int actual = checksum(bytes, bytes.length);
        if (crc != actual) {
            throw new WireFormatException(
                    "checksum field is %08x, computed checksum is %08x".formatted(crc, actual), CRC);
        }
    }

    static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, CRC);
        crc.update(bytes, CRC + Integer.BYTES, length - CRC - Integer.BYTES);
        return (int) crc.getValue();
    }

    private void checkAttributeSets() {
        int sets = u31(ATTRIBUTE_SETS, "number of attribute sets");
        require(directoryAt, (long) sets * SET_BYTES, "attribute directory");
        int from = directoryAt + sets * SET_BYTES;
        for (int i = 0; i < sets; i++) {
            int entry = directoryAt + i * SET_BYTES;
            long at = (int) INT.get(bytes, entry) & 0xFFFFFFFFL;
            long length = (int) INT.get(bytes, entry + 4) & 0xFFFFFFFFL;
            if (at < from || at + length > groupsAt) {
                throw new WireFormatException("attribute set " + i + " lies outside its area", entry);
            }
        }
        if (groupsAt < from || groupsAt > bytes.length) {
            throw new WireFormatException("groups do not start at " + groupsAt, GROUPS_AT);
        }
    }

    private void checkGroups() {
        RouteCursor cursor = cursor();
        long events = 0;
        for (int more = cursor.skipGroup(); more >= 0; more = cursor.skipGroup()) {
            events += more;
        }
        if (events != eventCount()) {
            throw new WireFormatException("header counts " + eventCount() + " events, groups hold " + events, EVENTS);
        }
    }

    private PeerEntry readPeer(int at) {
        int view = bytes[at];
        if (view < 0 || view >= RibView.values().length) {
            throw new WireFormatException("unknown RIB view " + view, at);
        }
        return new PeerEntry(
                bytes[at + 1] & 0xFF,
                (long) LONG.get(bytes, at + 4),
                (bytes[at + 2] & PEER_IPV6) != 0,
                (long) LONG.get(bytes, at + 12),
                (long) LONG.get(bytes, at + 20),
                (int) INT.get(bytes, at + 28),
                (int) INT.get(bytes, at + 32),
                RibView.of(view));
    }

    private void require(int at, long length, String what) {
        if (at + length > bytes.length) {
            throw new WireFormatException(what + " exceeds the record", at);
        }
    }

    private String text(int at, String what) {
        require(at, 2, what);
        require(at + 2, u16(at), what);
        return new String(bytes, at + 2, u16(at), StandardCharsets.UTF_8);
    }

    private int u16(int at) {
        return (short) SHORT.get(bytes, at) & 0xFFFF;
    }

    private int u31(int at, String what) {
        int value = (int) INT.get(bytes, at);
        if (value < 0 || value > bytes.length) {
            throw new WireFormatException(what + " is " + Integer.toUnsignedString(value), at);
        }
        return value;
    }

    /** Returns a copy of a record with its {@link #redecoded()} flag set. */
    public static byte[] asRedecoded(byte[] record) {
        byte[] copy = record.clone();
        SHORT.set(copy, FLAGS, (short) ((short) SHORT.get(copy, FLAGS) | REDECODED));
        INT.set(copy, CRC, checksum(copy, copy.length));
        return copy;
    }

    /**
     * Returns a record that contains a range of this record's events, and only the peers and attribute sets to which
     * they refer.
     *
     * @param from index of the first event
     * @param to index after the last event, greater than {@code from}
     */
    public byte[] part(int from, int to) {
        RouteBatchBuilder builder = new RouteBatchBuilder();
        builder.begin(collector, router, routerAddress, sessionId(), receivedAtMicros());
        RouteCursor event = cursor();
        int index = 0;
        while (index < from && event.next()) {
            index++;
        }
        while (index < to && event.next()) {
            index += builder.copy(this, event, to - index);
        }
        byte[] part = builder.build();
        return redecoded() ? asRedecoded(part) : part;
    }

    /** Returns the record itself, not a copy: do not write to it. */
    public byte[] bytes() {
        return bytes;
    }

    public String collector() {
        return collector;
    }

    /** The router's identity, which is also the record's Kafka key. */
    public String router() {
        return router;
    }

    /** Source address of the BMP session, in text form. */
    public String routerAddress() {
        return routerAddress;
    }

    public long sessionId() {
        return (long) LONG.get(bytes, SESSION_ID);
    }

    /** Returns the time when the collector read the messages from the socket, in microseconds since 1970. */
    public long receivedAtMicros() {
        return (long) LONG.get(bytes, RECEIVED_AT);
    }

    /**
     * Returns whether the messages were decoded again, out of order. The events replace those that the history holds of
     * the same messages. They must not be applied to current state, which may already reflect newer events of the same
     * routes.
     */
    public boolean redecoded() {
        return (u16(FLAGS) & REDECODED) != 0;
    }

    public int peerCount() {
        return peers.length;
    }

    public PeerEntry peer(int index) {
        return peers[index];
    }

    /** Returns what a peer is for the router; empty if it is unknown. */
    public Optional<NeighborRole> neighborRole(int index) {
        int at = directoryAt - (peers.length - index) * PEER_BYTES + PEER_ROLE;
        return NeighborRole.of(bytes[at] - 1);
    }

    public int attributeSetCount() {
        return (int) INT.get(bytes, ATTRIBUTE_SETS);
    }

    /**
     * Upper 64 bits of an attribute set's hash, which is the beginning of SHA-256 of its canonical bytes. Computed when
     * it is first asked for, unless {@link #setHash} has set it.
     */
    public long hashHigh(int set) {
        return hashes().high(set);
    }

    /** Lower 64 bits of an attribute set's hash. */
    public long hashLow(int set) {
        return hashes().low(set);
    }

    /** Sets the hash of an attribute set, known from elsewhere, so that it need not be computed. */
    public void setHash(int set, long high, long low) {
        hashes().set(set, high, low);
    }

    private AttributeSetHashes hashes() {
        AttributeSetHashes existing = hashes;
        if (existing == null) {
            existing = new AttributeSetHashes(this);
            hashes = existing;
        }
        return existing;
    }

    /** Offset in {@link #bytes()} of the first canonical byte of an attribute set. */
    public int attributesFrom(int set) {
        return (int) INT.get(bytes, directoryAt + set * SET_BYTES);
    }

    /** Offset in {@link #bytes()} after the last canonical byte of an attribute set. */
    public int attributesTo(int set) {
        return attributesFrom(set) + (int) INT.get(bytes, directoryAt + set * SET_BYTES + 4);
    }

    /** Returns the event count of a record's header without validating the record, 0 if there is no whole header. */
    public static int peekEventCount(byte[] record) {
        return record.length < NAMES_AT ? 0 : Math.max(0, (int) INT.get(record, EVENTS));
    }

    /** Returns the router of a record without validating the record, null if there is no whole header. */
    public static @Nullable String peekRouter(byte[] record) {
        int at = NAMES_AT;
        for (int name = 0; name < 2; name++) {
            if (at + 2 > record.length) {
                return null;
            }
            int length = (short) SHORT.get(record, at) & 0xFFFF;
            if (at + 2 + length > record.length) {
                return null;
            }
            if (name == 1) {
                return new String(record, at + 2, length, StandardCharsets.UTF_8);
            }
            at += 2 + length;
        }
        return null;
    }

    /** Number of events: one per NLRI and one per other event. */
    public int eventCount() {
        return (int) INT.get(bytes, EVENTS);
    }

    /** Number of groups: runs of events that share kind, peer, family and attribute set, each from one message. */
    public int groupCount() {
        return (int) INT.get(bytes, GROUPS);
    }

    int groupsAt() {
        return groupsAt;
    }

    /** Returns a new cursor, positioned before the first event. */
    public RouteCursor cursor() {
        return new RouteCursor(this);
    }

    /**
     * Returns a cursor positioned before the first event, without allocating if there is one to reuse.
     *
     * @param reuse a cursor of any batch that is no longer needed, or null to allocate one
     */
    public RouteCursor cursor(@Nullable RouteCursor reuse) {
        if (reuse == null) {
            return cursor();
        }
        reuse.move(this);
        return reuse;
    }
}
