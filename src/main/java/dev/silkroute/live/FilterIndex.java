package dev.silkroute.live;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.KeyedHash;
import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the subscribers whose filters match a message, without trying all filters. Each filter is in one table, by its
 * most selective condition: prefix, else peer, else router; a list has those with none of these.
 *
 * <p>A prefix of a message is looked up by itself shortened to each length that filters have, and those filters that
 * match less specific prefixes are found by the range of addresses that the prefix covers. Not thread-safe.
 */
final class FilterIndex {
    private static final Comparator<Key> ORDER = Comparator.comparing(Key::ipv6)
            .thenComparing(Key::high, Long::compareUnsigned)
            .thenComparing(Key::low, Long::compareUnsigned)
            .thenComparing(Key::length);

    private final Map<Key, List<Entry>> prefixes = new HashMap<>();
    private final TreeMap<Key, List<Entry>> lessSpecific = new TreeMap<>(ORDER);
    private final Lengths ipv4 = new Lengths(32);
    private final Lengths ipv6 = new Lengths(128);
    private final Map<Key, List<Entry>> peers = new HashMap<>();
    private final Map<String, List<Entry>> routers = new HashMap<>();
    private final List<Entry> others = new ArrayList<>();
    /** The filters of alerts, which are few messages. */
    private final List<Entry> alerts = new ArrayList<>();

    private final List<Subscriber> found = new ArrayList<>();
    private int size;
    private int prefixFilters;
    private long messages;

    /** A filter of a subscriber. */
    private record Entry(Subscriber subscriber, LiveFilter filter) {}

    /** A prefix or an address. A client or router must not be able to choose keys whose hashes are equal. */
    record Key(boolean ipv6, long high, long low, int length) {
        static Key of(IpPrefix prefix) {
            return new Key(prefix.ipv6(), prefix.high(), prefix.low(), prefix.length());
        }

        static Key of(PeerEntry peer) {
            return new Key(peer.ipv6(), peer.addressHigh(), peer.addressLow(), peer.ipv6() ? 128 : 32);
        }

        @Override
        public int hashCode() {
            return KeyedHash.fold(KeyedHash.of(high, low, length, ipv6 ? 1 : 0));
        }
    }

    /** The prefix lengths of filters. */
    private static final class Lengths {
        private final BitSet used = new BitSet();
        private final int[] filters;

        Lengths(int longest) {
            filters = new int[longest + 1];
        }

        void add(int length, int change) {
            filters[length] += change;
            used.set(length, filters[length] > 0);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(Subscriber subscriber, LiveFilter filter) {
        Entry entry = new Entry(subscriber, filter);
        size++;
        if (filter.type() == MessageType.ALERT) {
            alerts.add(entry);
            return;
        }
        IpPrefix prefix = filter.prefix();
        if (prefix != null) {
            prefixFilters++;
            prefixes.computeIfAbsent(Key.of(prefix), _ -> new ArrayList<>()).add(entry);
            lengths(prefix.ipv6()).add(prefix.length(), 1);
            if (filter.lessSpecific()) {
                lessSpecific
                        .computeIfAbsent(Key.of(prefix), _ -> new ArrayList<>())
                        .add(entry);
            }
        } else if (filter.peer() != null) {
            peers.computeIfAbsent(Key.of(filter.peer()), _ -> new ArrayList<>()).add(entry);
        } else if (filter.router() != null) {
            routers.computeIfAbsent(filter.router(), _ -> new ArrayList<>()).add(entry);
        } else {
            others.add(entry);
        }
    }

    /** @return whether the filter was there */
    boolean remove(Subscriber subscriber, LiveFilter filter) {
        Entry entry = new Entry(subscriber, filter);
        IpPrefix prefix = filter.prefix();
        boolean removed;
        if (filter.type() == MessageType.ALERT) {
            removed = alerts.remove(entry);
        } else if (prefix != null) {
            removed = remove(prefixes, Key.of(prefix), entry);
            if (removed) {
                prefixFilters--;
                lengths(prefix.ipv6()).add(prefix.length(), -1);
                remove(lessSpecific, Key.of(prefix), entry);
            }
        } else if (filter.peer() != null) {
            removed = remove(peers, Key.of(filter.peer()), entry);
        } else if (filter.router() != null) {
            removed = remove(routers, filter.router(), entry);
        } else {
            removed = others.remove(entry);
        }
        if (removed) {
            size--;
        }
        return removed;
    }

    private static <K> boolean remove(Map<K, List<Entry>> table, K key, Entry entry) {
        List<Entry> entries = table.get(key);
        if (entries == null || !entries.remove(entry)) {
            return false;
        }
        if (entries.isEmpty()) {
            table.remove(key);
        }
        return true;
    }

    private Lengths lengths(boolean isIpv6) {
        return isIpv6 ? ipv6 : ipv4;
    }

    /** Starts a message: finds the subscribers of filters that have no prefix. */
    void begin(MessageFields message) {
        messages++;
        found.clear();
        check(others, message);
        check(routers.get(message.router()), message);
        PeerEntry peer = message.peer();
        if (peer != null && !peers.isEmpty()) {
            check(peers.get(Key.of(peer)), message);
        }
    }

    /** Finds the subscribers of filters that match a prefix of the message. */
    void add(NlriReader route, MessageView message) {
        if (prefixFilters == 0 || !route.isPrefix()) {
            return;
        }
        Lengths lengths = lengths(route.ipv6());
        int length = route.prefixLength();
        for (int l = lengths.used.nextSetBit(0); l >= 0 && l <= length; l = lengths.used.nextSetBit(l + 1)) {
            List<Entry> entries = prefixes.get(shortened(route, l));
            if (entries != null) {
                for (Entry entry : entries) {
                    if (l == length || entry.filter.moreSpecific()) {
                        check(entry, message);
                    }
                }
            }
        }
        if (!lessSpecific.isEmpty()) {
            addLessSpecific(route, message);
        }
    }

    private void addLessSpecific(NlriReader route, MessageView message) {
        Key prefix = shortened(route, route.prefixLength());
        for (Map.Entry<Key, List<Entry>> entries :
                lessSpecific.tailMap(prefix, false).entrySet()) {
            Key key = entries.getKey();
            if (!shortened(key, prefix.length).equals(prefix)) {
                return;
            }
            entries.getValue().forEach(entry -> check(entry, message));
        }
    }

    private static Key shortened(NlriReader route, int length) {
        return shortened(new Key(route.ipv6(), route.addressHigh(), route.addressLow(), route.prefixLength()), length);
    }

    private static Key shortened(Key key, int length) {
        return key.ipv6
                ? new Key(true, Addresses.maskHigh(key.high, length), Addresses.maskLow(key.low, length), length)
                : new Key(false, 0, Integer.toUnsignedLong(Addresses.maskIpv4((int) key.low, length)), length);
    }

    private void check(@Nullable List<Entry> entries, MessageFields message) {
        if (entries != null) {
            for (Entry entry : entries) {
                check(entry, message);
            }
        }
    }

    private void check(Entry entry, MessageFields message) {
        if (entry.subscriber.found != messages && entry.filter.matches(message)) {
            entry.subscriber.found = messages;
            found.add(entry.subscriber);
        }
    }

    /** Returns whether any filter selects alerts. */
    boolean selectsAlerts() {
        return !alerts.isEmpty();
    }

    /** Returns the subscribers whose filters match an alert. */
    Set<Subscriber> subscribers(AlertMessage alert) {
        Set<Subscriber> matching = new LinkedHashSet<>();
        for (Entry entry : alerts) {
            if (alert.matches(entry.filter)) {
                matching.add(entry.subscriber);
            }
        }
        return matching;
    }

    /** Returns the subscribers of the message, each once; valid until the next message. */
    List<Subscriber> found() {
        return found;
    }
}
