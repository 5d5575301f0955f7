package dev.silkroute.rib;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import java.util.ArrayList;
import java.util.List;

/**
 * A route in place: a place to stand on, moved by {@link RibReader} from route to route, that copies nothing. Holds only until the reader's section ends
 * ({@link RibReader#enter}); {@link #toRoute} is for keeping. Attributes are those that the route had when the view was moved here.
 * Not thread-safe.
 */
public final class RouteView {
    private static final int AS_SET_HEADER = 2;

    private Shard shard;
    private Table table;
    private Keys keys;
    private int route;
    private int key;
    private int attributes;
    private int set;
    private byte[] bytes;
    private int from;
    private int to;

    @SuppressWarnings("NullAway.Init") // stands nowhere yet
    public RouteView() {}

    void moveTo(Shard in, Keys of, int to, Table owner) {
        shard = in;
        keys = of;
        route = to;
        table = owner;
        Records data = in.stores.routes.data;
        key = data.get(to, Routes.KEY);
        attributes = data.read(to, Routes.ATTRIBUTES);
        set = attributes > 0 ? attributes : in.stores.extras.attributes(~attributes);
        int ref = in.stores.attributes.ref(set);
        bytes = in.stores.slab.bytes(ref);
        from = ByteSlab.offset(ref);
        this.to = from + in.stores.attributes.length(set);
    }

    private int key() {
        return key & ~Routes.HAS_PATH_ID;
    }

    /** The number of the table that the route is of, in its shard. */
    Table table() {
        return table;
    }

    public RibPeer peer() {
        return table.peer;
    }

    /** AS number of the peer, read unsigned. */
    public int peerAsn() {
        return table.side.peer.asn;
    }

    /** The address that the router's newest session came from. */
    public String routerAddress() {
        return table.side.peer.router.address();
    }

    public RibView view() {
        return table.view;
    }

    /** AFI and SAFI, see {@link Family}. */
    public int family() {
        return table.family;
    }

    /** Whether no live session has spoken of the route. */
    public boolean stale() {
        int live = table.side.peer.router.live();
        return live == 0 || live != shard.stores.routes.data.read(route, Routes.SESSION);
    }

    public boolean hasPathId() {
        return (key & Routes.HAS_PATH_ID) != 0;
    }

    /** The path identifier, read unsigned; 0 if there is none, which is not the same as path identifier 0. */
    public int pathId() {
        return shard.stores.routes.data.get(route, Routes.PATH);
    }

    /** Whether this is a unicast, multicast, labelled or VPN prefix; the accessors of prefixes hold only then. */
    public boolean isPrefix() {
        return keys instanceof PrefixKeys;
    }

    private PrefixKeys prefixes() {
        return (PrefixKeys) keys;
    }

    public boolean ipv6() {
        return Family.afi(table.family) == Family.AFI_IPV6;
    }

    /** Upper 64 bits of an IPv6 address, 0 for IPv4. */
    public long addressHigh() {
        return ipv6() ? prefixes().high(key()) : 0;
    }

    /** Lower 64 bits of an IPv6 address, or an IPv4 address in the lower 32 bits. */
    public long addressLow() {
        return ipv6() ? prefixes().low(key()) : prefixes().high(key()) >>> 32;
    }

    public int prefixLength() {
        return prefixes().length(key());
    }

    public boolean hasRd() {
        return isPrefix() && Family.safi(table.family) >= 128;
    }

    /** The route distinguisher of a VPN prefix, 0 for others. */
    public long rd() {
        return hasRd() ? shard.stores.tries.get(prefixes().trie(key())).rd : 0;
    }

    /** Canonical text of the NLRI, of any family. */
    public String nlri() {
        if (isPrefix()) {
            String prefix = Addresses.prefix(ipv6(), addressHigh(), addressLow(), prefixLength());
            return hasRd() ? RouteDistinguisher.text(rd()) + " " + prefix : prefix;
        }
        if (attributes < 0 && shard.stores.extras.nlriLength(~attributes) > 0) {
            int at = shard.stores.extras.nlriFrom(~attributes);
            return NlriText.of(
                    table.family,
                    shard.stores.slab.bytes(~attributes),
                    at,
                    at + shard.stores.extras.nlriLength(~attributes));
        }
        int ref = shard.stores.exact.ref(key());
        int at = ByteSlab.offset(ref);
        return NlriText.of(table.family, shard.stores.slab.bytes(ref), at, at + shard.stores.exact.length(key()));
    }

    /** The key's bytes of an NLRI that is no prefix, as hex digits. */
    String keyHex() {
        int ref = shard.stores.exact.ref(key());
        int at = ByteSlab.offset(ref);
        return Hex.of(shard.stores.slab.bytes(ref), at, at + shard.stores.exact.length(key()));
    }

    public int labelCount() {
        return attributes < 0 ? shard.stores.extras.labels(~attributes) : 0;
    }

    /** The 20-bit label, outermost first. */
    public int label(int index) {
        if (index >= labelCount()) {
            throw new IndexOutOfBoundsException(index);
        }
        return shard.stores.extras.label(~attributes, index);
    }

    /** See {@link PathMarking}. */
    public long marking() {
        return attributes < 0 ? shard.stores.extras.marking(~attributes) : PathMarking.NONE;
    }

    /** The origin AS, -1 if there is none. */
    public long originAs() {
        return shard.stores.attributes.originAs(set);
    }

    /** Offset of an attribute's value in {@link #attributeBytes}, -1 if the route hasn't it; its length stands in the two bytes before. */
    public int attribute(int type) {
        return CanonicalSet.value(bytes, from, to, type);
    }

    /** The array that {@link #attribute} speaks of. Not a copy: don't write to it, and read it only within the section. */
    public byte[] attributeBytes() {
        return bytes;
    }

    public int attributesFrom() {
        return from;
    }

    public int attributesTo() {
        return to;
    }

    private long number(int type) {
        int at = attribute(type);
        return at < 0 ? -1 : BigEndian.u32(bytes, at);
    }

    /** MULTI_EXIT_DISC, -1 if there is none. */
    public long med() {
        return number(AttributeCode.MULTI_EXIT_DISC);
    }

    /** LOCAL_PREF, -1 if there is none. */
    public long localPref() {
        return number(AttributeCode.LOCAL_PREF);
    }

    /** Whether an AS number is anywhere in the path. */
    public boolean asPathContains(int asn) {
        int at = attribute(AttributeCode.AS_PATH);
        if (at < 0) {
            return false;
        }
        int end = at + CanonicalSet.length(bytes, at);
        while (at < end) {
            int count = BigEndian.u8(bytes, at + 1);
            at += AS_SET_HEADER;
            for (int i = 0; i < count; i++, at += 4) {
                if (BigEndian.i32(bytes, at) == asn) {
                    return true;
                }
            }
        }
        return false;
    }

    public boolean hasCommunity(int community) {
        int at = attribute(AttributeCode.COMMUNITIES);
        int end = at < 0 ? at : at + CanonicalSet.length(bytes, at);
        for (; at < end; at += 4) {
            if (BigEndian.i32(bytes, at) == community) {
                return true;
            }
        }
        return false;
    }

    public boolean hasLargeCommunity(int global, int local1, int local2) {
        int at = attribute(AttributeCode.LARGE_COMMUNITIES);
        int end = at < 0 ? at : at + CanonicalSet.length(bytes, at);
        for (; at < end; at += 12) {
            if (BigEndian.i32(bytes, at) == global
                    && BigEndian.i32(bytes, at + 4) == local1
                    && BigEndian.i32(bytes, at + 8) == local2) {
                return true;
            }
        }
        return false;
    }

    /** All attributes, copied. */
    public PathAttributes attributes() {
        return PathAttributes.decode(bytes, from, to);
    }

    /** The route as an object to keep. */
    public RibRoute toRoute() {
        List<Integer> labels = new ArrayList<>(labelCount());
        for (int i = 0; i < labelCount(); i++) {
            labels.add(label(i));
        }
        boolean prefix = NlriFormat.isPrefix(table.family);
        return new RibRoute(
                peer(),
                Integer.toUnsignedLong(peerAsn()),
                view(),
                family(),
                hasRd(),
                rd(),
                nlri(),
                prefix,
                prefix ? addressHigh() : 0,
                prefix ? addressLow() : 0,
                prefix ? prefixLength() : 0,
                hasPathId(),
                Integer.toUnsignedLong(pathId()),
                List.copyOf(labels),
                marking(),
                stale(),
                attributes());
    }
}
