package dev.silkroute.mrt;

import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.KeyedHash;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A BGP peer of a collector and the state of its session. Not thread-safe. */
final class MrtPeer {
    static final int FLAG_IPV6 = 0x80;
    static final int FLAG_POST_POLICY = 0x40;
    static final int FLAG_TWO_OCTET_AS = 0x20;
    static final int FLAG_ADJ_RIB_OUT = 0x10;

    /** Identifies a peer in a file. The BGP ID is not part of it because only tables contain it. */
    record Key(boolean isIpv6, long high, long low, int asn) {
        /** Keyed: files come from others. */
        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(high, low, asn, isIpv6 ? 1 : 0));
        }
    }

    /**
     * The collector's end of the session.
     *
     * @param asn 0 if the file does not contain it
     */
    record LocalEnd(int asn, long high, long low) {
        static final LocalEnd UNKNOWN = new LocalEnd(0, 0, 0);
    }

    /** @param isSent whether the collector sent it, not the peer */
    record Notification(Bytes message, boolean isSent) {}

    private final Key key;
    private int bgpId;
    private LocalEnd localEnd = LocalEnd.UNKNOWN;

    /** The capabilities of the current session, or null while the peer is down. */
    private @Nullable SessionCapabilities session;

    /** The last NOTIFICATION of the current session. */
    private @Nullable Notification notification;

    /** The families with routes in the current table dump. */
    private final TreeSet<Integer> dumpedFamilies = new TreeSet<>();

    MrtPeer(Key key, int bgpId) {
        this.key = key;
        this.bgpId = bgpId;
    }

    /** Derives a BGP ID, which BMP requires, from the address of a peer whose BGP ID the file does not contain. */
    static int derivedBgpId(Key key) {
        int id = key.isIpv6() ? Long.hashCode(key.high() * 31 + key.low()) : (int) key.low();
        return id == 0 ? key.asn() | 1 : id;
    }

    Key key() {
        return key;
    }

    int bgpId() {
        return bgpId;
    }

    void setBgpId(int bgpId) {
        this.bgpId = bgpId;
    }

    LocalEnd localEnd() {
        return localEnd;
    }

    void setLocalEnd(LocalEnd localEnd) {
        this.localEnd = localEnd;
    }

    boolean isUp() {
        return session != null;
    }

    @Nullable
    SessionCapabilities session() {
        return session;
    }

    void openSession(SessionCapabilities capabilities) {
        session = capabilities;
        notification = null;
    }

    void closeSession() {
        session = null;
        notification = null;
    }

    @Nullable
    Notification notification() {
        return notification;
    }

    void setNotification(Notification notification) {
        this.notification = notification;
    }

    TreeSet<Integer> dumpedFamilies() {
        return dumpedFamilies;
    }

    /** @param flags in addition to the one for IPv6 */
    PeerHeader header(int flags, long timeMicros) {
        int all = flags | (key.isIpv6() ? FLAG_IPV6 : 0);
        return new PeerHeader(0, all, 0, key.high(), key.low(), key.asn(), bgpId, timeMicros);
    }
}
