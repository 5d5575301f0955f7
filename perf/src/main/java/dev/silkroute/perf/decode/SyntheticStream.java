package dev.silkroute.perf.decode;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A router's BMP session, the same at every run: Initiation, a Peer Up for each peer, Route Monitoring, Termination.
 * Its mix is that of a feed from full-table peers:
 *
 * <p>70 % of the UPDATEs are IPv4, the others IPv6; 4 % withdraw; each has one to four prefixes. Announcements take one
 * of 60,000 attribute sets, each of one peer and family: AS path of 4 to 6 four-octet AS numbers, three communities, 40
 * % with MULTI_EXIT_DISC, 5 % with extended and 10 % with large communities.
 */
final class SyntheticStream {
    private static final long SEED = 42;
    private static final int SETS = 60_000;
    private static final int PEERS = 4;
    private static final long BEGIN_MICROS = 1_700_000_000_000_000L;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final ByteSink out;
    private final byte[][] sets = new byte[SETS][];
    private final ByteSink update = new ByteSink();

    private SyntheticStream(int updates) {
        out = new ByteSink(updates * 150);
    }

    static byte[] of(int updates) {
        SyntheticStream stream = new SyntheticStream(updates);
        stream.attributeSets();
        BmpEncoder.initiation("synthetic", "performance scenario", stream.out);
        for (int peer = 0; peer < PEERS; peer++) {
            stream.peerUp(peer);
        }
        for (int i = 0; i < updates; i++) {
            stream.routeMonitoring(i);
        }
        BmpEncoder.termination(0, stream.out);
        return stream.out.toByteArray();
    }

    /** Sets of peer p are at p, p + 4, p + 8 …; the first 70 % of each are IPv4's. */
    private void attributeSets() {
        ByteSink set = new ByteSink();
        for (int i = 0; i < SETS; i++) {
            set.reset();
            attributeSet(i % PEERS, isIpv6(i), set);
            sets[i] = set.toByteArray();
        }
    }

    private static boolean isIpv6(int set) {
        return set >= SETS / 10 * 7;
    }

    /**
     * Writes attributes in ascending order of type. MP_REACH_NLRI is inserted with the routes, after the communities.
     */
    private void attributeSet(int peer, boolean ipv6, ByteSink set) {
        int draw = random.nextInt(100);
        set.u8(0x40).u8(1).u8(1).u8(draw < 80 ? 0 : draw < 98 ? 2 : 1);
        int hops = 4 + random.nextInt(3);
        set.u8(0x40).u8(2).u8(2 + 4 * hops).u8(2).u8(hops).u32(asn(peer));
        for (int i = 1; i < hops; i++) {
            set.u32(random.nextInt(100) < 70 ? 1 + random.nextInt(64_000) : 131_072 + random.nextInt(270_000));
        }
        if (!ipv6) {
            set.u8(0x40).u8(3).u8(4).u32(0xC6336400 + peer + 1);
        }
        if (random.nextInt(100) < 40) {
            set.u8(0x80).u8(4).u8(4).u32(random.nextInt(1000));
        }
        set.u8(0xC0).u8(8).u8(12);
        for (int i = 0; i < 3; i++) {
            set.u16(1 + random.nextInt(64_000)).u16(random.nextInt(2000));
        }
        if (random.nextInt(100) < 5) {
            set.u8(0xC0)
                    .u8(16)
                    .u8(8)
                    .u16(0x0002)
                    .u16(1 + random.nextInt(64_000))
                    .u32(random.nextInt(1000));
        }
        if (random.nextInt(100) < 10) {
            set.u8(0xC0).u8(32).u8(24);
            for (int i = 0; i < 2; i++) {
                set.u32(131_072 + random.nextInt(270_000))
                        .u32(random.nextInt(100))
                        .u32(random.nextInt(100));
            }
        }
    }

    private void routeMonitoring(int number) {
        int set = random.nextInt(SETS);
        update.reset();
        update.i64(-1).i64(-1).u16(0).u8(2);
        if (random.nextInt(100) < 4) {
            withdrawal(isIpv6(set));
        } else {
            announcement(set);
        }
        update.patchU16(16, update.position());
        BmpEncoder.routeMonitoring(
                header(set % PEERS, BEGIN_MICROS + 100L * number), update.array(), 0, update.position(), out);
    }

    private void withdrawal(boolean ipv6) {
        int length = update.position();
        update.u16(0);
        if (ipv6) {
            update.u16(0).u8(0x90).u8(15).u16(0).u16(2).u8(1);
            prefixes(true);
            update.patchU16(length + 2, update.position() - length - 4);
            update.patchU16(length + 6, update.position() - length - 8);
        } else {
            prefixes(false);
            update.patchU16(length, update.position() - length - 2);
            update.u16(0);
        }
    }

    private void announcement(int set) {
        update.u16(0);
        int length = update.position();
        update.u16(0).bytes(sets[set], 0, sets[set].length);
        if (isIpv6(set)) {
            int reach = update.position();
            update.u8(0x90).u8(14).u16(0).u16(2).u8(1).u8(16);
            update.i64(0x2001_0DB8_0000_0000L).i64(set % PEERS + 1).u8(0);
            prefixes(true);
            update.patchU16(reach + 2, update.position() - reach - 4);
        }
        update.patchU16(length, update.position() - length - 2);
        if (!isIpv6(set)) {
            prefixes(false);
        }
    }

    private void prefixes(boolean ipv6) {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            if (ipv6) {
                prefix(PrefixLengths.IPV6.next(random), 0x2000 + random.nextInt(0x1000));
            } else {
                prefix(PrefixLengths.IPV4.next(random), 1 + random.nextInt(223) << 8 | random.nextInt(256));
            }
        }
    }

    /** @param first the two bytes that the address begins with; bits after the length are 0 */
    private void prefix(int bits, int first) {
        update.u8(bits);
        for (int at = 0; at < bits; at += 8) {
            int value = at == 0 ? first >>> 8 : at == 8 ? first & 0xFF : random.nextInt(256);
            update.u8(bits - at < 8 ? value & 0xFF00 >> bits - at : value);
        }
    }

    private static int asn(int peer) {
        return 64_501 + peer;
    }

    private static PeerHeader header(int peer, long micros) {
        return new PeerHeader(0, 0, 0, 0, 0xC6336401L + peer, asn(peer), 0x0A000001 + peer, micros);
    }

    private void peerUp(int peer) {
        Bytes sent = open(64_500, 0x0A0000FE);
        Bytes received = open(asn(peer), 0x0A000001 + peer);
        BmpEncoder.peerUp(
                header(peer, BEGIN_MICROS), 0, 0xC63364FEL, 179, 40_000 + peer, sent, received, List.of(), out);
    }

    /** OPEN with the capabilities of IPv4 and IPv6 unicast and four-octet AS numbers (RFC 4760, RFC 6793). */
    private static Bytes open(int asn, int bgpId) {
        ByteSink open = new ByteSink();
        open.i64(-1)
                .i64(-1)
                .u16(0)
                .u8(1)
                .u8(4)
                .u16(asn)
                .u16(180)
                .u32(bgpId)
                .u8(20)
                .u8(2)
                .u8(18);
        open.u8(1)
                .u8(4)
                .u16(1)
                .u8(0)
                .u8(1)
                .u8(1)
                .u8(4)
                .u16(2)
                .u8(0)
                .u8(1)
                .u8(65)
                .u8(4)
                .u32(asn);
        open.patchU16(16, open.position());
        return Bytes.of(open.toByteArray());
    }
}
