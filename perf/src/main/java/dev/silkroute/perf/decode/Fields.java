package dev.silkroute.perf.decode;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;

/**
 * Reads every field of route batches in place: of each route event its prefix, path identifier, peer, times and order,
 * of each distinct attribute set every value; and folds them into a digest.
 *
 * <p>A list is {@code h = h * FACTOR + value}, element by element; what a route or an attribute gives is weighted by
 * its kind and summed up. The other contenders' digests follow the same rule.
 */
final class Fields implements RecordReader {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int ANNOUNCED = 301;
    private static final int WITHDRAWN = 303;

    private long[] setDigests = new long[64];
    private int[] setSizes = new int[64];

    private long announced;
    private long withdrawn;
    private long attributes;
    private long digest;
    private long others;

    @Override
    public void read(byte[] record) {
        if (record.length == 0) {
            return;
        }
        RouteBatch batch = RouteBatch.read(record);
        readSets(batch);
        RouteCursor cursor = batch.cursor();
        long message = -1;
        int set = -1;
        EventKind kind = EventKind.SESSION_UP;
        while (cursor.next()) {
            EventKind next = cursor.kind();
            others += cursor.peerIndex() + cursor.routerTimeMicros();
            if (!next.isRoute()) {
                // An empty MP_UNREACH_NLRI is an End-of-RIB.
                attributes += next == EventKind.END_OF_RIB && cursor.family() != Family.IPV4_UNICAST ? 1 : 0;
                continue;
            }
            route(cursor.family(), cursor.nlri(), next == EventKind.ANNOUNCE ? ANNOUNCED : WITHDRAWN);
            if (cursor.sequence() >>> 16 != message || cursor.attributeSet() != set || next != kind) {
                message = cursor.sequence() >>> 16;
                set = cursor.attributeSet();
                kind = next;
                section(cursor.family(), set);
            }
        }
    }

    /**
     * Messages hold attributes, not routes: those of an announcing section count once, and MP_UNREACH_NLRI is one too.
     */
    private void section(int family, int set) {
        if (set >= 0) {
            attributes += setSizes[set];
            digest += setDigests[set];
        } else if (family != Family.IPV4_UNICAST) {
            attributes++;
        }
    }

    /** Counts labelled and VPN routes without reading them, as the harnesses of other decoders do. */
    private void route(int family, NlriReader nlri, int weight) {
        if (weight == ANNOUNCED) {
            announced++;
        } else {
            withdrawn++;
        }
        if (nlri.isPrefix() && Family.safi(family) <= 2) {
            long h = (nlri.addressHigh() * FACTOR + nlri.addressLow()) * FACTOR + nlri.prefixLength();
            digest += (h * FACTOR + Integer.toUnsignedLong(nlri.pathId())) * weight;
        }
    }

    private void readSets(RouteBatch batch) {
        int sets = batch.attributeSetCount();
        if (sets > setDigests.length) {
            setDigests = new long[2 * sets];
            setSizes = new int[2 * sets];
        }
        for (int i = 0; i < sets; i++) {
            readSet(i, batch.bytes(), batch.attributesFrom(i), batch.attributesTo(i));
        }
    }

    /** In ascending type order: {@code u8 flags | u8 type | u16 length | value}. */
    private void readSet(int set, byte[] b, int from, int to) {
        long sum = 0;
        int size = 0;
        for (int at = from; at < to; size++) {
            int type = BigEndian.u8(b, at + 1);
            int value = at + 4;
            int end = value + BigEndian.u16(b, at + 2);
            sum += value(type, b, value, end) * (2 * type + 1);
            at = end;
        }
        setDigests[set] = sum;
        setSizes[set] = size;
    }

    private long value(int type, byte[] b, int from, int to) {
        return switch (type) {
            case 1 -> BigEndian.u8(b, from);
            case 2 -> asPath(b, from, to);
            case 3, 4, 5 -> BigEndian.u32(b, from);
            case 8, 32 -> {
                long h = 0;
                for (int at = from; at < to; at += 4) {
                    h = h * FACTOR + BigEndian.u32(b, at);
                }
                yield h;
            }
            case 14 -> nextHop(b, from + 4, to);
            case 16 -> {
                long h = 0;
                for (int at = from; at < to; at += 8) {
                    h = h * FACTOR + BigEndian.i64(b, at);
                }
                yield h;
            }
            default -> {
                for (int at = from; at < to; at++) {
                    others += b[at];
                }
                yield 0;
            }
        };
    }

    private static long asPath(byte[] b, int from, int to) {
        long h = 0;
        for (int at = from; at < to; ) {
            int count = BigEndian.u8(b, at + 1);
            h = (h * FACTOR + BigEndian.u8(b, at)) * FACTOR + count;
            at += 2;
            for (int end = at + 4 * count; at < end; at += 4) {
                h = h * FACTOR + BigEndian.u32(b, at);
            }
        }
        return h;
    }

    private static long nextHop(byte[] b, int from, int to) {
        return switch (to - from) {
            case 4 -> BigEndian.u32(b, from);
            // Behind a route distinguisher.
            case 12 -> BigEndian.u32(b, from + 8);
            case 24 -> nextHop(b, from + 8, to);
            case 16, 32 -> BigEndian.i64(b, from) * FACTOR + BigEndian.i64(b, from + 8);
            default -> 0;
        };
    }

    Counts counts(long messages, long errors) {
        return new Counts(messages, announced, withdrawn, attributes, errors, digest);
    }

    @Override
    public long sum() {
        return digest + others;
    }
}
