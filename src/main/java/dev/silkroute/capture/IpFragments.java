package dev.silkroute.capture;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts fragmented IP packets together (RFC 791, Section 3.2; RFC 8200, Section 4.5). Where fragments overlap the first that
 * came counts. Holds {@value #MAX_PACKETS} incomplete packets at most and forgets the eldest: to TCP it is then missing. One that
 * is incomplete for too long is forgotten too, since identifications come again.
 */
final class IpFragments {
    /** What fragments of one packet have in common. */
    record Key(boolean ipv6, long sourceHigh, long sourceLow, long destinationHigh, long destinationLow, long id) {}

    private static final int MAX_PACKETS = 128;
    private static final int MAX_LENGTH = 65_535;

    /** RFC 8200, Section 4.5; of IPv4 RFC 1122, Section 3.3.2 has 60 to 120 seconds. */
    private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Fragments begin at multiples of this. */
    private static final int UNIT = 8;

    private final Map<Key, Incomplete> packets = new LinkedHashMap<>();

    /**
     * The whole payload if this was the last piece that was missing, else null.
     *
     * @param timeNanos when the fragment was captured
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
            forgetTheEldest();
        }
        packet.add(offset, more, b, from, length);
        if (!packet.isWhole()) {
            return null;
        }
        packets.remove(key);
        return Arrays.copyOf(packet.bytes, packet.whole);
    }

    private void forgetTheEldest() {
        if (packets.size() > MAX_PACKETS) {
            var eldest = packets.entrySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    private static final class Incomplete {
        private final BitSet units = new BitSet();

        /** When its first fragment was captured. */
        private final long begin;

        private byte[] bytes = new byte[0];

        /** Length of the whole payload, 0 while the last fragment has not come. */
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
