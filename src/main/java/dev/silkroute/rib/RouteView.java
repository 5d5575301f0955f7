package dev.silkroute.rib;

import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.digest.RouteHasher;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.memory.ByteSlab;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.AttributeStore;
import dev.silkroute.rib.store.CanonicalSet;
import dev.silkroute.rib.store.RouteRecords;
import dev.silkroute.rib.trie.Keys;
import dev.silkroute.rib.trie.PrefixKeys;
import dev.silkroute.rib.trie.Tries;
import java.util.Optional;

/**
 * A flyweight view of a route in place, moved by {@link RibReader} from route to route; it copies nothing. Valid only
 * until the reader's section ends ({@link RibReader#enter}); {@link #toRoute} makes an object to keep. Attributes are
 * those that the route had when the view was moved to it. Not thread-safe.
 */
public final class RouteView implements Route {
    private Shard shard;
    private Table table;
    private Keys keys;
    private int key;
    private int route;
    private int attributes;
    private int set;

    @SuppressWarnings("NullAway.Init") // not at a route yet
    public RouteView() {}

    void moveTo(Shard in, Keys of, int to, Table owner) {
        RouteRecords routes = in.stores.routes;
        moveTo(in, of, routes.key(to), to, routes.attributes(to), owner);
    }

    /**
     * Moves to a route whose key and attributes are known.
     *
     * @param ofRoute its key
     * @param with its attributes
     */
    void moveTo(Shard in, Keys of, int ofRoute, int to, int with, Table owner) {
        // A reference store triggers a G1 write barrier, and mostly the reference is the same again; see
        // EventPrefetcher.
        if (shard != in) {
            shard = in;
        }
        if (table != owner) {
            table = owner;
            keys = of;
        }
        key = ofRoute;
        route = to;
        attributes = with;
        set = in.stores.set(with);
    }

    /** Moves to an attribute set without a route: only accessors of attributes are valid. */
    void moveToSet(Shard in, int to) {
        if (shard != in) {
            shard = in;
        }
        set = to;
        attributes = to;
    }

    private byte[] bytes() {
        return shard.stores.attributes.bytes(set);
    }

    @Override
    public RibPeer peer() {
        return table.peer;
    }

    @Override
    public int peerAsn() {
        return table.peerView.peer.asn;
    }

    @Override
    public Optional<NeighborRole> neighborRole() {
        return Optional.ofNullable(table.peerView.peer.role);
    }

    /** The address that the router's newest session came from. */
    public String routerAddress() {
        return table.peerView.peer.router.address();
    }

    /** The id of the session that last announced the route. Later sessions of a collector have larger ids. */
    public long session() {
        return table.peerView.peer.router.sessionOf(shard.stores.routes.session(route));
    }

    @Override
    public RibView view() {
        return table.view;
    }

    @Override
    public int family() {
        return table.family;
    }

    @Override
    public boolean stale() {
        int live = table.peerView.peer.router.live();
        return live == 0 || live != shard.stores.routes.session(route);
    }

    @Override
    public boolean tableSynchronized() {
        return table.isSynchronized();
    }

    @Override
    public boolean hasPathId() {
        return shard.stores.routes.hasPathId(route);
    }

    @Override
    public int pathId() {
        return hasPathId() ? shard.stores.routes.pathId(route) : 0;
    }

    @Override
    public boolean isPrefix() {
        return keys instanceof PrefixKeys;
    }

    private PrefixKeys prefixes() {
        return (PrefixKeys) keys;
    }

    @Override
    public boolean ipv6() {
        return Family.afi(table.family) == Family.AFI_IPV6;
    }

    @Override
    public long addressHigh() {
        return ipv6() ? prefixes().high(key) : 0;
    }

    @Override
    public long addressLow() {
        return ipv6() ? prefixes().low(key) : prefixes().high(key) >>> 32;
    }

    @Override
    public int prefixLength() {
        return prefixes().length(key);
    }

    @Override
    public boolean hasRd() {
        return isPrefix() && Tries.hasRd(table.family);
    }

    @Override
    public long rd() {
        return hasRd() ? shard.stores.tries.trieOf(prefixes(), key, table.family).rd : 0;
    }

    @Override
    public String nlri() {
        if (isPrefix()) {
            String prefix = Addresses.prefix(ipv6(), addressHigh(), addressLow(), prefixLength());
            return hasRd() ? RouteDistinguisher.text(rd()) + " " + prefix : prefix;
        }
        if (hasLongNlri()) {
            int at = shard.stores.extras.nlriFrom(~attributes);
            return NlriText.of(
                    table.family,
                    shard.stores.slab.bytes(~attributes),
                    at,
                    at + shard.stores.extras.nlriLength(~attributes));
        }
        int ref = shard.stores.exactKeys.ref(key);
        int at = ByteSlab.offset(ref);
        return NlriText.of(table.family, shard.stores.slab.bytes(ref), at, at + shard.stores.exactKeys.length(key));
    }

    RibTable table() {
        return table;
    }

    /** Returns the hash of the route's key. */
    long digestKey(RouteHasher hasher) {
        if (isPrefix()) {
            return hasher.prefix(rd(), addressHigh(), addressLow(), prefixLength(), hasPathId(), pathId());
        }
        int ref = shard.stores.exactKeys.ref(key);
        int at = ByteSlab.offset(ref);
        return hasher.other(
                shard.stores.slab.bytes(ref), at, at + shard.stores.exactKeys.length(key), hasPathId(), pathId());
    }

    /**
     * Returns the hash of the route.
     *
     * @param routeKey its {@link #digestKey}
     */
    long digest(RouteHasher hasher, long routeKey) {
        hasher.begin(routeKey, marking());
        for (int i = 0; i < labelCount(); i++) {
            hasher.label(label(i));
        }
        if (!isPrefix()) {
            int ref = hasLongNlri() ? ~attributes : shard.stores.exactKeys.ref(key);
            int at = hasLongNlri() ? shard.stores.extras.nlriFrom(ref) : ByteSlab.offset(ref);
            int length = hasLongNlri() ? shard.stores.extras.nlriLength(ref) : shard.stores.exactKeys.length(key);
            hasher.nlri(shard.stores.slab.bytes(ref), at, at + length);
        }
        return hasher.attributes(bytes(), attributesFrom(), attributesTo());
    }

    /** Returns whether the NLRI is longer than its key. */
    private boolean hasLongNlri() {
        return attributes < 0 && shard.stores.extras.nlriLength(~attributes) > 0;
    }

    /** The key bytes of an NLRI that is not a prefix, as hex digits. */
    String keyHex() {
        int ref = shard.stores.exactKeys.ref(key);
        int at = ByteSlab.offset(ref);
        return Hex.of(shard.stores.slab.bytes(ref), at, at + shard.stores.exactKeys.length(key));
    }

    @Override
    public int labelCount() {
        return attributes < 0 ? shard.stores.extras.labels(~attributes) : 0;
    }

    @Override
    public int label(int index) {
        if (index >= labelCount()) {
            throw new IndexOutOfBoundsException(index);
        }
        return shard.stores.extras.label(~attributes, index);
    }

    @Override
    public long marking() {
        return attributes < 0 ? shard.stores.extras.marking(~attributes) : PathMarking.NONE;
    }

    @Override
    public long originAs() {
        return shard.stores.attributes.origin(set);
    }

    /**
     * Returns the offset in {@link #attributeBytes} of an attribute's value, -1 if the route does not have it. The
     * value's length is in the two bytes before.
     */
    public int attribute(int type) {
        return CanonicalSet.value(bytes(), attributesFrom(), attributesTo(), type);
    }

    /**
     * The array that contains the attributes. It is not a copy: it must not be written, and may be read only within the
     * section.
     */
    public byte[] attributeBytes() {
        return bytes();
    }

    /** The offset of the first attribute in {@link #attributeBytes}. */
    public int attributesFrom() {
        return AttributeStore.from(set);
    }

    /** The offset after the last attribute in {@link #attributeBytes}. */
    public int attributesTo() {
        return attributesFrom() + shard.stores.attributes.length(set);
    }

    @Override
    public long med() {
        return CanonicalSet.number(bytes(), attributesFrom(), attributesTo(), AttributeCode.MULTI_EXIT_DISC);
    }

    @Override
    public long localPref() {
        return CanonicalSet.number(bytes(), attributesFrom(), attributesTo(), AttributeCode.LOCAL_PREF);
    }

    @Override
    public boolean asPathContains(int asn) {
        return CanonicalSet.pathContains(bytes(), attributesFrom(), attributesTo(), asn);
    }

    @Override
    public boolean hasCommunity(int community) {
        return CanonicalSet.hasCommunity(bytes(), attributesFrom(), attributesTo(), community);
    }

    @Override
    public boolean hasLargeCommunity(int global, int local1, int local2) {
        return CanonicalSet.hasLargeCommunity(bytes(), attributesFrom(), attributesTo(), global, local1, local2);
    }

    @Override
    public boolean nextHopIs(boolean isIpv6, long high, long low) {
        return CanonicalSet.nextHopIs(bytes(), attributesFrom(), attributesTo(), isIpv6, high, low);
    }

    Shard shard() {
        return shard;
    }

    Keys keys() {
        return keys;
    }

    int keyId() {
        return key;
    }

    @Override
    public PathAttributes attributes() {
        return PathAttributes.decode(bytes(), attributesFrom(), attributesTo());
    }

    /** Returns the route as an object to keep. */
    public RibRoute toRoute() {
        return new RibRoute(this);
    }
}
