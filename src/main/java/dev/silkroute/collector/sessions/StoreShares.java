package dev.silkroute.collector.sessions;

import dev.silkroute.session.LaneName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shares what the lanes can store among source addresses, and among the sessions of each. Kafka takes more than
 * PostgreSQL stores, and a lane stores what Kafka has in its order, so without this a flood delays what follows it by
 * the time that storing the flood takes.
 *
 * <p>For each lane the cost of the records that are sent and not stored yet is limited by a window. Above it,
 * addresses with more than half of an equal share wait with their next batch; what the others send continues. So do
 * those sessions of such an address that have less than an equal part of its share, because many routers may have one
 * address, for example behind address translation. A session that is younger than {@link #LONGEST_NANOS} has no part of
 * its own, or an address could have more by connecting again and again, and the more sessions an address has the
 * smaller their parts are. If all sessions have one address, none waits while each of the others has more to send than
 * its share, too. The window grows while the lane stores records clearly soon enough, and shrinks while it does not.
 *
 * <p>A batch has at least one message. One that is expected to cost more than a share, such as a Statistics Report with
 * thousands of values, waits until there is room in the window, or addresses would have many times their shares with
 * one each; while there is no room, one such message of any session is admitted now and then.
 *
 * <p>What is sent and not decoded yet counts with the cost that the session's earlier messages had for the lane: a Peer
 * Up becomes a record of several times its bytes.
 *
 * <p>Records are not followed one by one: at intervals {@link #mark} puts a mark behind those decoded so far, and
 * {@link #progress} compares the offsets that Kafka has for the mark with those that the lane has stored.
 *
 * <p>A mark that is not reached within {@link #LONGEST_NANOS} is given up: records before it no longer count. So
 * addresses with large shares continue slowly while a lane is far behind, for example after an outage of PostgreSQL. A
 * lane that stores nothing for {@link #OUTAGE_NANOS} does not limit anything, because Kafka buffers what PostgreSQL
 * cannot store at the moment. Thread-safe.
 */
public final class StoreShares {
    /** The initial window of a lane, in units of the cost of its records. */
    static final long FIRST_WINDOW = 128 << 10;

    static final long SMALLEST_WINDOW = 64 << 10;
    static final long LARGEST_WINDOW = 64 << 20;
    /** An address or session may have this much on the way, whatever the window is. */
    static final long SMALLEST_SHARE = 32 << 10;
    /** So many sessions of an address may have the smallest share as their own parts; those of more have less each. */
    static final long SMALLEST_PARTS = 8;
    /** The cost of a low-volume record besides its bytes: small ones take longer to store than their bytes suggest. */
    static final long RECORD_COST = 512;
    /** The cost of a route besides its bytes, which are about ten if it differs from the one before in a path only. */
    static final long ROUTE_COST = 128;
    /** Lanes are not checked until this much has been sent. */
    static final long DUE = 32 << 10;

    /** A session that has waited with much to send counts as one with demand for this time. */
    static final long DEMAND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A mark that is not reached after this time is given up. */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    /** A lane that has stored nothing for this time does not limit any session. */
    static final long OUTAGE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** After a longer pause between checks it is unknown how long a lane has stored nothing. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A lane collects records for this time before it stores them, so they are as old when nothing delays them. */
    static final long COLLECTING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final int BATCHES_PER_WINDOW = 8;
    private static final int KINDS = LaneName.values().length;
    /** The messages by which the cost of a session's next ones is expected, in bytes. */
    private static final long RECENT = 64 << 10;
    /** The expected cost of a new session's byte in the lane of peers: a session begins with Peer Ups. */
    static final long FIRST_PEERS_COST = 8;

    private final long targetNanos;
    /** Windows grow while storing takes less: what it takes beyond collecting is below three quarters of the most. */
    private final long growthNanos;

    private final Map<String, Lane> lanes = new HashMap<>();
    /** The open sessions by id. */
    private final Map<Long, Sender> senders = new HashMap<>();

    /** The number of open sessions by address. */
    private final Map<SourceAddress, long[]> addresses = new HashMap<>();
    /** The open sessions that had much to send when they had no room for it, with the last time; oldest first. */
    private final Map<Sender, Long> demands = new LinkedHashMap<>();

    /** The expected cost of what is not decoded yet, by address, each by {@link LaneName}. */
    private final Map<SourceAddress, long[]> undecoded = new HashMap<>();

    private final long[] undecodedCost = new long[KINDS];
    private final Map<LaneName, Map<Sender, long[]>> unmarked = new EnumMap<>(LaneName.class);
    private long sinceMark;

    /** @param target how long storing may take before the windows shrink; zero if lanes do not limit anything */
    StoreShares(Duration target) {
        targetNanos = target.toNanos();
        long collecting = Math.min(COLLECTING_NANOS, targetNanos);
        growthNanos = collecting + (targetNanos - collecting) / 4 * 3;
    }

    /** A session begins. @param now {@link System#nanoTime()} */
    public synchronized void opened(long session, InetAddress address, long now) {
        Sender sender = new Sender(new SourceAddress(address), now);
        senders.put(session, sender);
        add(addresses, sender.address, 1);
    }

    /** A session has ended, and everything that came of it is in Kafka. */
    synchronized void closed(long session) {
        Sender sender = senders.remove(session);
        if (sender != null) {
            acknowledged(sender, sender.undecoded);
            demands.remove(sender);
            take(addresses, sender.address, 1);
        }
    }

    /**
     * Returns how many bytes the next batch of a session may have, 0 if it must wait. It has at least one message.
     *
     * @param bytes the bytes of BMP messages that there are for it
     * @param first those of the first message
     * @param now {@link System#nanoTime()}
     */
    public synchronized int admitted(long session, int bytes, int first, long now) {
        Sender sender = sender(session);
        if (targetNanos == 0) {
            return Integer.MAX_VALUE;
        }
        long most = Integer.MAX_VALUE;
        for (Lane lane : lanes.values()) {
            most = Math.min(most, lane.admitted(sender, bytes, first, now));
        }
        if (most > 0) {
            lanes.values().forEach(lane -> lane.note(sender, first, now));
        }
        if (most == 0 && bytes >= SMALLEST_SHARE) {
            demands.remove(sender); // the newest is the last
            demands.put(sender, now);
        }
        return othersDemandMuch(sender, now) ? Integer.MAX_VALUE : (int) most;
    }

    /**
     * Returns whether a session of which nothing has been sent yet may be read from.
     *
     * @param bytes what has been read from the other sessions of its address and is not acknowledged
     * @param now {@link System#nanoTime()}
     */
    synchronized boolean mayRead(long session, long bytes, long now) {
        Sender sender = sender(session);
        return lanes.values().stream().allMatch(lane -> lane.mayRead(sender, bytes, now));
    }

    /** Returns whether all sessions have one address, and each of the others has much to send, too. */
    private boolean othersDemandMuch(Sender sender, long now) {
        if (addresses.size() > 1) {
            return false;
        }
        Iterator<Long> oldest = demands.values().iterator();
        while (oldest.hasNext() && now - oldest.next() > DEMAND_NANOS) {
            oldest.remove();
        }
        return demands.size() + (demands.containsKey(sender) ? 0 : 1) >= senders.size();
    }

    private Sender sender(long session) {
        return Objects.requireNonNull(senders.get(session), "not an open session");
    }

    /** A session sends a batch of BMP messages. */
    synchronized void sending(long session, long bytes) {
        Sender sender = sender(session);
        sender.undecoded += bytes;
        long[] ofAddress = undecoded.computeIfAbsent(sender.address, _ -> new long[KINDS]);
        for (int kind = 0; kind < KINDS; kind++) {
            long expected = sender.expected(kind, bytes);
            sender.expected[kind] += expected;
            ofAddress[kind] += expected;
            undecodedCost[kind] += expected;
        }
    }

    /** Everything that came of a batch is in Kafka. The session may have been closed with a later one. */
    synchronized void sent(long session, long bytes) {
        Sender sender = senders.get(session);
        if (sender != null) {
            acknowledged(sender, bytes);
            sender.learn(bytes);
        }
    }

    private void acknowledged(Sender sender, long bytes) {
        long[] ofAddress = undecoded.get(sender.address);
        if (ofAddress == null) {
            return; // nothing was sent
        }
        for (int kind = 0; kind < KINDS; kind++) {
            long expected = sender.expectedPart(kind, bytes);
            sender.expected[kind] -= expected;
            ofAddress[kind] -= expected;
            undecodedCost[kind] -= expected;
        }
        sender.undecoded -= bytes;
        if (Arrays.stream(ofAddress).allMatch(cost -> cost == 0)) {
            undecoded.remove(sender.address);
        }
    }

    /**
     * Something for a lane has been made of what a session has sent; without effect for one that is not open.
     *
     * @param count of routes, or of the records of a low-volume lane
     * @param bytes of all of them
     */
    public synchronized void decoded(LaneName kind, long session, int count, long bytes) {
        Sender sender = senders.get(session);
        if (targetNanos > 0 && sender != null) {
            long cost = bytes + count * (kind == LaneName.ROUTES ? ROUTE_COST : RECORD_COST);
            sinceMark += cost;
            sender.recentCost[kind.ordinal()] += cost;
            add(unmarked.computeIfAbsent(kind, _ -> new HashMap<>()), sender, cost);
            for (Lane lane : lanes.values()) {
                if (lane.kind == kind) {
                    lane.add(sender, cost);
                }
            }
        }
    }

    /** Returns whether to check the lanes: enough has been sent, or a mark is not reached yet. */
    public synchronized boolean isDue() {
        return targetNanos > 0
                && (lanes.isEmpty()
                        || sinceMark >= DUE
                        || lanes.values().stream().anyMatch(lane -> !lane.marks.isEmpty()));
    }

    /** Puts a mark behind the records made so far. Kafka's end offsets for it are to be read after this. */
    public synchronized void mark(long now) {
        for (Lane lane : lanes.values()) {
            Map<Sender, long[]> costs = unmarked.get(lane.kind);
            if (costs != null) {
                lane.marks.add(new Mark(now, costs));
            }
        }
        unmarked.clear();
        sinceMark = 0;
    }

    /**
     * Compares what a lane has stored with the marks.
     *
     * @param lane its name
     * @param ends by partition, the offset of the record that is appended next, read after the last mark
     * @param next by partition, the offset of the record that the lane stores next; {@link Long#MAX_VALUE} if unknown
     */
    public synchronized void progress(String lane, LaneName kind, long[] ends, long[] next, long now) {
        lanes.computeIfAbsent(lane, _ -> new Lane(kind, unmarked.getOrDefault(kind, Map.of()), now))
                .progress(ends, next, now);
    }

    /** Forgets how far the lanes are: they limit nothing until it is known again. */
    public synchronized void forget() {
        lanes.clear();
        unmarked.clear();
        sinceMark = 0;
    }

    /** Returns the window of a lane that is known. */
    synchronized long window(String lane) {
        return Objects.requireNonNull(lanes.get(lane)).window;
    }

    /** Returns the cost of what is on the way to a lane that is known. */
    synchronized long cost(String lane) {
        return Objects.requireNonNull(lanes.get(lane)).cost;
    }

    private static <K> void add(Map<K, long[]> amounts, K key, long amount) {
        amounts.computeIfAbsent(key, _ -> new long[1])[0] += amount;
    }

    private static <K> void take(Map<K, long[]> amounts, K key, long amount) {
        amounts.computeIfPresent(key, (_, known) -> {
            known[0] -= amount;
            return known[0] > 0 ? known : null;
        });
    }

    private static <K> long amount(Map<K, long[]> amounts, K key) {
        long[] known = amounts.get(key);
        return known == null ? 0 : known[0];
    }

    private static boolean covers(long[] next, long[] ends) {
        for (int partition = 0; partition < Math.min(next.length, ends.length); partition++) {
            if (next[partition] < ends[partition]) {
                return false;
            }
        }
        return true;
    }

    /** A session as one that sends; guarded by the lock of its {@link StoreShares}. */
    private static final class Sender {
        private final SourceAddress address;
        private final long openedAt;
        private long undecoded;
        /** The expected cost of what is not decoded yet, by {@link LaneName}. */
        private final long[] expected = new long[KINDS];
        /** The cost of the newest records, by {@link LaneName}, and the bytes that they were made of. */
        private final double[] recentCost = new double[KINDS];

        private double recentBytes;
        /** The expected cost of a byte, by {@link LaneName}. */
        private final double[] perByte = new double[KINDS];

        Sender(SourceAddress address, long openedAt) {
            this.address = address;
            this.openedAt = openedAt;
            Arrays.fill(perByte, 1);
            perByte[LaneName.PEERS.ordinal()] = FIRST_PEERS_COST;
        }

        long expected(int kind, long bytes) {
            return (long) (bytes * perByte[kind]);
        }

        /** Returns how many bytes have an expected cost, at least one. */
        long bytes(int kind, long cost) {
            return Math.max(1, (long) (cost / perByte[kind]));
        }

        /** Returns the part of the expected cost that some of the bytes have which are not decoded yet. */
        long expectedPart(int kind, long bytes) {
            return bytes == undecoded ? expected[kind] : expected[kind] * bytes / undecoded;
        }

        /** Some bytes have been decoded. A byte costs at least one, because nothing is known about the next ones. */
        void learn(long bytes) {
            recentBytes += bytes;
            boolean halves = recentBytes > RECENT;
            for (int kind = 0; kind < KINDS; kind++) {
                perByte[kind] = Math.max(1, recentCost[kind] / Math.max(1, recentBytes));
                recentCost[kind] /= halves ? 2 : 1;
            }
            recentBytes /= halves ? 2 : 1;
        }
    }

    /** The records between a mark and the one before it. */
    private static final class Mark {
        private final long at;
        private final Map<Sender, long[]> costs;
        /** The offsets behind the records, null until they are read. */
        private long @Nullable [] ends;

        Mark(long at, Map<Sender, long[]> costs) {
            this.at = at;
            this.costs = costs;
        }

        boolean isReached(long[] next) {
            return ends != null && covers(next, ends);
        }
    }

    /** One lane; guarded by the lock of its {@link StoreShares}. */
    private final class Lane {
        private final LaneName kind;
        /** The cost of what is on the way, by session; of ended sessions, too. */
        private final Map<Sender, long[]> bySession = new HashMap<>();

        private final Map<SourceAddress, long[]> byAddress = new HashMap<>();
        /** The number of sessions in {@link #bySession}, by address. */
        private final Map<SourceAddress, long[]> sessions = new HashMap<>();

        private final Deque<Mark> marks = new ArrayDeque<>();
        private long cost;
        private long window = FIRST_WINDOW;
        private long shrunkAt;
        /** True if the window has been found too large once; until then it grows faster. */
        private boolean hasShrunk;

        private long grownAt;
        /** The time when a message that costs more than a share was last admitted although there was no room for it. */
        private long exceededAt;

        private long checkedAt;
        private long advancedAt;
        private long[] stored = {};
        private boolean isOut;

        /** @param unmarked what is on the way already, by session */
        Lane(LaneName kind, Map<Sender, long[]> unmarked, long now) {
            this.kind = kind;
            unmarked.forEach((sender, amount) -> add(sender, amount[0]));
            shrunkAt = now;
            grownAt = now;
            exceededAt = now;
            checkedAt = now;
            advancedAt = now;
        }

        void add(Sender sender, long added) {
            if (!bySession.containsKey(sender)) {
                StoreShares.add(sessions, sender.address, 1);
            }
            StoreShares.add(bySession, sender, added);
            StoreShares.add(byAddress, sender.address, added);
            cost += added;
        }

        private void take(Sender sender, long taken) {
            StoreShares.take(bySession, sender, taken);
            StoreShares.take(byAddress, sender.address, taken);
            cost -= taken;
            if (!bySession.containsKey(sender)) {
                StoreShares.take(sessions, sender.address, 1);
            }
        }

        /** Returns how many bytes the next batch of a session may have, 0 if it must wait. */
        long admitted(Sender sender, int bytes, int first, long now) {
            if (exceeds(sender, first)) {
                return now - exceededAt < targetNanos ? 0 : first;
            }
            long smallest = window / BATCHES_PER_WINDOW;
            long room = Integer.MAX_VALUE;
            if (!isOut) {
                // Half: one session does not fill the window alone while the others of a flood have their shares
                room = isOpen() ? Math.max((window - onTheWay()) / 2, smallest) : left(sender, now);
            }
            long wanted = Math.min(sender.expected(kind.ordinal(), bytes), Math.min(smallest, SMALLEST_SHARE / 2));
            return room > 0 && room >= wanted ? sender.bytes(kind.ordinal(), room) : 0;
        }

        /** Returns whether a message is expected to cost more than a share while there is no room in the window. */
        private boolean exceeds(Sender sender, int first) {
            return !isOpen() && sender.expected(kind.ordinal(), first) > Math.max(SMALLEST_SHARE, share());
        }

        /** A batch has been admitted that begins with a message of so many bytes. */
        void note(Sender sender, int first, long now) {
            if (exceeds(sender, first)) {
                exceededAt = now;
            }
        }

        boolean mayRead(Sender sender, long bytes, long now) {
            return isOpen() || left(sender, now) >= bytes;
        }

        /** Returns whether the lane limits no session at the moment. */
        private boolean isOpen() {
            return isOut || onTheWay() <= window;
        }

        /** Returns what a session has left of its address's share or its own part; negative if that is used up. */
        private long left(Sender sender, long now) {
            long share = share();
            long ofAddress = amount(byAddress, sender.address) + undecoded(sender.address);
            long left = Math.max(SMALLEST_SHARE, share) - ofAddress;
            if (now - sender.openedAt <= LONGEST_NANOS) {
                return left;
            }
            long count = Math.max(1, amount(sessions, sender.address));
            long part = Math.max(share / count, SMALLEST_SHARE * SMALLEST_PARTS / Math.max(SMALLEST_PARTS, count));
            long ofSession = amount(bySession, sender) + sender.expected[kind.ordinal()];
            return Math.max(left, part - ofSession);
        }

        /** Returns half of an equal share of the window. */
        private long share() {
            // The larger number: an address with records on the way often has undecoded bytes too, and counts once
            long senders = Math.max(byAddress.size(), undecoded.size());
            return window / (2 * Math.max(1, senders));
        }

        private long undecoded(SourceAddress address) {
            long[] expected = undecoded.get(address);
            return expected == null ? 0 : expected[kind.ordinal()];
        }

        private long onTheWay() {
            return cost + undecodedCost[kind.ordinal()];
        }

        void progress(long[] ends, long[] next, long now) {
            if (!Arrays.equals(next, stored) || covers(next, ends) || now - checkedAt > IDLE_NANOS) {
                advancedAt = now;
            }
            isOut = now - advancedAt > OUTAGE_NANOS;
            checkedAt = now;
            stored = next;
            for (Mark mark : marks) {
                if (mark.ends == null) {
                    mark.ends = ends;
                }
            }
            long before = onTheWay();
            long age = -1;
            boolean isUnderWindow = false;
            for (Mark mark = marks.peek();
                    mark != null && (mark.isReached(next) || now - mark.at > LONGEST_NANOS);
                    mark = marks.peek()) {
                marks.remove();
                mark.costs.forEach((sender, amount) -> take(sender, amount[0]));
                // Older ones were sent under a window that has been found too large since
                if (mark.at - shrunkAt >= 0) {
                    age = Math.max(age, now - mark.at);
                }
                isUnderWindow |= mark.at - grownAt >= 0;
            }
            if (age >= 0) {
                adapt(age, isUnderWindow ? before : 0, now);
            }
        }

        /**
         * @param used what was on the way while the records were stored, which a lane may all store at once; 0 if it
         *     was sent before the window has grown
         */
        private void adapt(long age, long used, long now) {
            if (age > targetNanos) {
                window = Math.max(SMALLEST_WINDOW, (long) (window * Math.max(0.25, (double) targetNanos / age)));
                shrunkAt = now;
                hasShrunk = true;
            } else if (age < growthNanos && used > window / 2) {
                window = Math.min(LARGEST_WINDOW, window + window / (hasShrunk ? 8 : 1));
                grownAt = now;
            }
        }
    }
}
