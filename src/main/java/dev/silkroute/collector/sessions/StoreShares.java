package dev.silkroute.collector.sessions;

import dev.silkroute.session.LaneName;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Shares what the lanes can store among source addresses. Kafka takes more than PostgreSQL stores, and a lane stores
 * what Kafka has in its order, so without this a flood from one address delays what follows it by the time that
 * storing the flood takes.
 *
 * <p>For each lane the cost of the records that are sent and not stored yet is limited by a window. Above it,
 * addresses with more than half of an equal share wait with their next batch; what the others send continues. The
 * window grows while the lane stores records soon enough, and shrinks while it does not.
 *
 * <p>Records are not followed one by one: at intervals {@link #mark} puts a mark behind those decoded so far, and
 * {@link #progress} compares the offsets that Kafka has for the mark with those that the lane has stored.
 *
 * <p>A mark that is not reached within {@link #LONGEST_NANOS} is given up: what is before it counts no longer. So
 * addresses with large shares continue slowly while a lane is far behind, for example after an outage of PostgreSQL. A
 * lane that stores nothing for {@link #OUTAGE_NANOS} does not limit anything, because Kafka is to take what PostgreSQL
 * cannot store at the moment. Thread-safe.
 */
public final class StoreShares {
    /** The window of a lane at first, as the cost of its records. */
    static final long FIRST_WINDOW = 128 << 10;

    static final long SMALLEST_WINDOW = 64 << 10;
    static final long LARGEST_WINDOW = 64 << 20;
    /** An address may have as much on the way whatever the window is. */
    static final long SMALLEST_SHARE = 8 << 10;
    /** The cost of a record besides its bytes: small ones take longer to store than their bytes suggest. */
    static final long RECORD_COST = 512;
    /** Lanes are not looked at before as much has been sent. */
    static final long DUE = 32 << 10;

    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    static final long OUTAGE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** After a longer pause it is unknown since when a lane has stored nothing. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int BATCHES_PER_WINDOW = 8;

    private final long targetNanos;
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Map<InetAddress, long[]> undecoded = new HashMap<>();
    private final Map<LaneName, Map<InetAddress, long[]>> unmarked = new EnumMap<>(LaneName.class);
    private long undecodedBytes;
    private long sinceMark;

    /** @param target how long storing may take before the windows shrink; zero if lanes do not limit anything */
    StoreShares(Duration target) {
        targetNanos = target.toNanos();
    }

    /**
     * Returns how many bytes the next batch of an address may have, 0 if it must wait.
     *
     * @param bytes the bytes of BMP messages that there are for it
     */
    synchronized int admitted(InetAddress address, int bytes) {
        long most = Integer.MAX_VALUE;
        for (Lane lane : lanes.values()) {
            most = Math.min(most, lane.admitted(address, bytes));
        }
        return (int) most;
    }

    /**
     * Returns whether a further connection of an address may be read from.
     *
     * @param bytes what has been read from its other connections and is not acknowledged
     */
    synchronized boolean mayRead(InetAddress address, long bytes) {
        return lanes.values().stream().allMatch(lane -> lane.hasRoom(address, bytes));
    }

    /** An address sends a batch of BMP messages. */
    synchronized void sending(InetAddress address, long bytes) {
        undecodedBytes += bytes;
        add(undecoded, address, bytes);
    }

    /** Everything that came of a batch is in Kafka. */
    synchronized void sent(InetAddress address, long bytes) {
        undecodedBytes -= bytes;
        take(undecoded, address, bytes);
    }

    /** Records for a lane have been made of what an address has sent. */
    public synchronized void decoded(LaneName kind, InetAddress address, int records, long bytes) {
        if (targetNanos > 0) {
            long cost = bytes + records * RECORD_COST;
            sinceMark += cost;
            add(unmarked.computeIfAbsent(kind, _ -> new HashMap<>()), address, cost);
            for (Lane lane : lanes.values()) {
                if (lane.kind == kind) {
                    lane.add(address, cost);
                }
            }
        }
    }

    /** Returns whether the lanes are to be looked at: enough has been sent, or a mark is not reached yet. */
    public synchronized boolean isDue() {
        return targetNanos > 0
                && (lanes.isEmpty()
                        || sinceMark >= DUE
                        || lanes.values().stream().anyMatch(lane -> !lane.marks.isEmpty()));
    }

    /** Puts a mark behind the records made so far. Kafka's end offsets for it are to be read after this. */
    public synchronized void mark(long now) {
        for (Lane lane : lanes.values()) {
            Map<InetAddress, long[]> costs = unmarked.get(lane.kind);
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

    private static void add(Map<InetAddress, long[]> amounts, InetAddress address, long amount) {
        amounts.computeIfAbsent(address, _ -> new long[1])[0] += amount;
    }

    private static void take(Map<InetAddress, long[]> amounts, InetAddress address, long amount) {
        amounts.computeIfPresent(address, (_, known) -> {
            known[0] -= amount;
            return known[0] > 0 ? known : null;
        });
    }

    private static long amount(Map<InetAddress, long[]> amounts, InetAddress address) {
        long[] known = amounts.get(address);
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

    /** The records between a mark and the one before it. */
    private static final class Mark {
        private final long at;
        private final Map<InetAddress, long[]> costs;
        /** The offsets behind the records, null until they are read. */
        private long @Nullable [] ends;

        Mark(long at, Map<InetAddress, long[]> costs) {
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
        private final Map<InetAddress, long[]> shares = new HashMap<>();
        private final Deque<Mark> marks = new ArrayDeque<>();
        private long cost;
        private long window = FIRST_WINDOW;
        private long shrunkAt;
        private long lookedAt;
        private long advancedAt;
        private long[] stored = {};
        private boolean isOut;

        /** @param unmarked what is on the way already, by address */
        Lane(LaneName kind, Map<InetAddress, long[]> unmarked, long now) {
            this.kind = kind;
            unmarked.forEach((address, amount) -> add(address, amount[0]));
            shrunkAt = now;
            lookedAt = now;
            advancedAt = now;
        }

        void add(InetAddress address, long added) {
            StoreShares.add(shares, address, added);
            cost += added;
        }

        long admitted(InetAddress address, int bytes) {
            long most = isOut || onTheWay() <= window / 2 ? Integer.MAX_VALUE : window / BATCHES_PER_WINDOW;
            return hasRoom(address, Math.min(bytes, most)) ? most : 0;
        }

        boolean hasRoom(InetAddress address, long bytes) {
            if (isOut || onTheWay() <= window) {
                return true;
            }
            long equal = window / (2L * Math.max(1, shares.size()));
            return amount(shares, address) + amount(undecoded, address) + bytes <= Math.max(SMALLEST_SHARE, equal);
        }

        private long onTheWay() {
            return cost + undecodedBytes;
        }

        void progress(long[] ends, long[] next, long now) {
            if (!Arrays.equals(next, stored) || covers(next, ends) || now - lookedAt > IDLE_NANOS) {
                advancedAt = now;
            }
            isOut = now - advancedAt > OUTAGE_NANOS;
            lookedAt = now;
            stored = next;
            for (Mark mark : marks) {
                if (mark.ends == null) {
                    mark.ends = ends;
                }
            }
            long age = -1;
            for (Mark mark = marks.peek();
                    mark != null && (mark.isReached(next) || now - mark.at > LONGEST_NANOS);
                    mark = marks.peek()) {
                marks.remove();
                mark.costs.forEach((address, amount) -> {
                    take(shares, address, amount[0]);
                    cost -= amount[0];
                });
                // Older ones were sent under a window that has been found too large since
                if (mark.at - shrunkAt >= 0) {
                    age = Math.max(age, now - mark.at);
                }
            }
            if (age >= 0) {
                adapt(age, now);
            }
        }

        private void adapt(long age, long now) {
            if (age > targetNanos) {
                window = Math.max(SMALLEST_WINDOW, (long) (window * Math.max(0.25, (double) targetNanos / age)));
                shrunkAt = now;
            } else if (onTheWay() > window / 2) {
                window = Math.min(LARGEST_WINDOW, window + window / 16);
            }
        }
    }
}
