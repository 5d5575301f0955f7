package dev.silkroute.mrt;

import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.Bytes;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A peer of a collector, and how its session stands. */
final class MrtPeer {
    static final int FLAG_IPV6 = 0x80;
    static final int FLAG_POST_POLICY = 0x40;
    static final int FLAG_TWO_OCTET_AS = 0x20;
    static final int FLAG_OUT = 0x10;

    /** What the file calls it by. The BGP ID is in tables only. */
    record Key(boolean ipv6, long high, long low, int asn) {}

    final Key key;
    int bgpId;

    /** The collector's end, as far as the file tells it. */
    int localAsn;

    long localHigh;
    long localLow;

    /** Null while the peer is down. */
    @Nullable
    Agreement agreement;

    /** The last NOTIFICATION of the session that is up, and whether it was the collector's. */
    @Nullable
    Bytes notification;

    boolean notificationSent;

    /** The families that the table at hand has of it. */
    final TreeSet<Integer> dumped = new TreeSet<>();

    MrtPeer(Key key, int bgpId) {
        this.key = key;
        this.bgpId = bgpId;
    }

    /** BMP wants a BGP ID, and a session cannot do without: where nothing tells it, one is made of the address. */
    static int madeUpId(Key key) {
        int id = key.ipv6() ? Long.hashCode(key.high() * 31 + key.low()) : (int) key.low();
        return id == 0 ? key.asn() | 1 : id;
    }

    PeerHeader header(int flags, long timeMicros) {
        int all = flags | (key.ipv6() ? FLAG_IPV6 : 0);
        return new PeerHeader(0, all, 0, key.high(), key.low(), key.asn(), bgpId, timeMicros);
    }
}
