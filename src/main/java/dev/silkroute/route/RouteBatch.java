package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.RibView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One record of {@code bmp.routes}: an immutable view over its bytes, in the wire format of
 * {@code docs/wire-format.md}. Everything that comes after the decoder reads this one thing: history, current state,
 * RIB, JSON.
 *
 * <p>Safe to share between threads as long as nobody writes to the bytes; cursors are not.
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
            throw new WireFormatException("attribute directory is said to be at " + directoryAt, DIRECTORY_AT);
        }
    }

    /**
     * Reads and checks a record: version, length, checksum, every table, every group and the framing of every NLRI.
     *
     * @throws WireFormatException when it isn't one, with reason and offset
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
            throw new WireFormatException("truncated: a header has " + NAMES_AT + " bytes", bytes.length);
        }
        if ((int) INT.get(bytes, 0) >>> 8 != MAGIC) {
            throw new WireFormatException("no route batch: wrong magic", 0);
        }
        if (bytes[3] < VERSION_1 || bytes[3] > VERSION_3) {
            throw new WireFormatException("version " + (bytes[3] & 0xFF) + " is not known", 3);
        }
        int length = (int) INT.get(bytes, LENGTH);
        if (length != bytes.length) {
            throw new WireFormatException(
                    "truncated or padded: length says " + Integer.toUnsignedString(length),
                    Math.min(bytes.length, Math.max(length, 0)));
        }
        int crc = (int) INT.get(bytes, CRC);
        int actual = checksum(bytes, bytes.length);
        if (crc != actual) {
            throw new WireFormatException("checksum is %08x, the bytes give %08x".formatted(crc, actual), CRC);
        }
    }

    static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        if (bytes[3] >= VERSION_3) {
            crc.update(bytes, 0, CRC); // one flipped bit more or less makes one version of another
        }
        crc.update(bytes, CRC_FROM, length - CRC_FROM);
        return (int) crc.getValue();
    }

    private void checkAttributeSets() {
        int sets = u31(ATTRIBUTE_SETS, "number of attribute sets");
        require(directoryAt, (long) sets * SET_BYTES, "attribute directory");
        int from = directoryAt + sets * SET_BYTES;
        for (int i = 0; i < sets; i++) {
            int entry = directoryAt + i * SET_BYTES;
            long at = (int) INT.get(bytes, entry + 16) & 0xFFFFFFFFL;
            long length = (int) INT.get(bytes, entry + 20) & 0xFFFFFFFFL;
            if (at < from || at + length > groupsAt) {
                throw new WireFormatException("attribute set " + i + " lies outside its area", entry + 16);
            }
        }
        if (groupsAt < from || groupsAt > bytes.length) {
            throw new WireFormatException("groups are said to be at " + groupsAt, GROUPS_AT);
        }
    }

    private void checkGroups() {
        RouteCursor cursor = cursor();
        long events = 0;
        for (int more = cursor.skipGroup(); more >= 0; more = cursor.skipGroup()) {
            events += more;
        }
        if (events != eventCount()) {
            throw new WireFormatException(eventCount() + " events announced, " + events + " found", EVENTS);
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
            throw new WireFormatException(what + " runs over the end", at);
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

    /** A copy of a record that says of itself that it is {@link #redecoded()}. */
    public static byte[] asRedecoded(byte[] record) {
        byte[] copy = record.clone();
        SHORT.set(copy, FLAGS, (short) ((short) SHORT.get(copy, FLAGS) | REDECODED));
        INT.set(copy, CRC, checksum(copy, copy.length));
        return copy;
    }

    /** The record itself. Not a copy: don't write to it. */
    public byte[] bytes() {
        return bytes;
    }

    public int version() {
        return bytes[3];
    }

    public String collector() {
        return collector;
    }

    /** The router's identity. */
    public String router() {
        return router;
    }

    /** Source address of the BMP session, as text. */
    public String routerAddress() {
        return routerAddress;
    }

    public long sessionId() {
        return (long) LONG.get(bytes, SESSION_ID);
    }

    /** When the station read these messages from the socket, microseconds since 1970. */
    public long receivedAtMicros() {
        return (long) LONG.get(bytes, RECEIVED_AT);
    }

    /**
     * Whether these messages were decoded again, later than their turn: newer events of the same routes may have come before.
     * They take their place in the history, in exchange for what it has of the same messages; they say nothing of the present.
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

    public int attributeSetCount() {
        return (int) INT.get(bytes, ATTRIBUTE_SETS);
    }

    public long hashHigh(int set) {
        return (long) LONG.get(bytes, directoryAt + set * SET_BYTES);
    }

    public long hashLow(int set) {
        return (long) LONG.get(bytes, directoryAt + set * SET_BYTES + 8);
    }

    /** Where the canonical bytes of an attribute set begin in {@link #bytes()}. */
    public int attributesFrom(int set) {
        return (int) INT.get(bytes, directoryAt + set * SET_BYTES + 16);
    }

    /** Where the canonical bytes of an attribute set end in {@link #bytes()}. */
    public int attributesTo(int set) {
        return attributesFrom(set) + (int) INT.get(bytes, directoryAt + set * SET_BYTES + 20);
    }

    /** How many events the bytes say that they have, if they are a batch: for who wants to know before reading them. */
    public static int eventsSaid(byte[] record) {
        return record.length < NAMES_AT ? 0 : Math.max(0, (int) INT.get(record, EVENTS));
    }

    /** One per NLRI and one per other event. */
    public int eventCount() {
        return (int) INT.get(bytes, EVENTS);
    }

    int groupCount() {
        return (int) INT.get(bytes, GROUPS);
    }

    int groupsAt() {
        return groupsAt;
    }

    /** A new cursor before the first event. */
    public RouteCursor cursor() {
        return new RouteCursor(this);
    }

    /**
     * A cursor before the first event, for who reads batch after batch and makes no garbage.
     *
     * @param again one that is no longer of use, of any batch, which becomes it; null for a new one
     */
    public RouteCursor cursor(@Nullable RouteCursor again) {
        if (again == null) {
            return cursor();
        }
        again.move(this);
        return again;
    }
}
