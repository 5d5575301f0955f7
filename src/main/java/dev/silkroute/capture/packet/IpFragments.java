package dev.silkroute.capture.packet;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles fragmented IP packets (RFC 791, Section 3.2; RFC 8200, Section 4.5). Of overlapping fragments the first
 * one counts. At most {@value #MAX_PACKETS} incomplete packets are held; the oldest is dropped beyond that, and any
 * that is incomplete for too long, because identifications are reused. A dropped packet is a gap of the TCP stream. Not
 * thread-safe.
 */
final class IpFragments {
    /** Identifies the fragments of one packet. */
    record Key(boolean ipv6, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, long id) {}

    private static final int MAX_PACKETS = 128;
    private static final int MAX_LENGTH = 65_535;

    /** RFC 8200, Section 4.5; for IPv4, RFC 1122, Section 3.3.2, specifies 60 to 120 seconds. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The unit of fragment offsets in bytes. */
    private static final int UNIT = 8;

    private final Map<Key, Incomplete> packets = new LinkedHashMap<>();

    /**
     * Adds a fragment. Returns the complete payload if this was the last missing fragment, else null.
     *
     * @param more whether further fragments follow
     * @param timeNanos the capture time
     */
    byte @Nullable [] add(Key key, int offset, boolean more, byte[] b, int from, int to, long timeNanos) {
        int length = to - from;
        if (length <= 0 || offset + length > MAX_LENGTH || (more && length % UNIT != 0)) {
            return null;
        }
        Incomplete packet = packets.get(key);
        if (packet != null && timeNanos - packet.begin > MAX_AGE_NANOS) {
            packets.remove(key);
            packet = null;
        }
        if (packet == null) {
            packet = new Incomplete(timeNanos);
            packets.put(key, packet);
            dropEldest();
        }
        packet.add(offset, more, b, from, length);
        if (!packet.isWhole()) {
            return null;
        }
        packets.remove(key);
        return Arrays.copyOf(packet.bytes, packet.whole);
    }

    private void dropEldest() {
        if (packets.size() > MAX_PACKETS) {
            var eldest = packets.entrySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private static final class Incomplete {
        private final BitSet units = new BitSet();

        /** The capture time of the first fragment. */
        private final long begin;

        private byte[] bytes = new byte[0];

        /** The length of the payload, or 0 before the last fragment was seen. */
        private int whole;

        Incomplete(long begin) {
            this.begin = begin;
        }

        void add(int offset, boolean more, byte[] b, int from, int length) {
            if (!more && whole == 0) {
                whole = offset + length;
            }
            if (offset + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, offset + length);
            }
            for (int at = 0; at < length; at += UNIT) {
                int unit = (offset + at) / UNIT;
                if (!units.get(unit)) {
                    units.set(unit);
                    System.arraycopy(b, from + at, bytes, offset + at, Math.min(UNIT, length - at));
                }
            }
        }

        boolean isWhole() {
            int count = (whole + UNIT - 1) / UNIT;
            return whole > 0 && bytes.length >= whole && units.nextClearBit(0) >= count;
        }
    }
}
