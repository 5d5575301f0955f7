package dev.silkroute.collector.turns;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Queues of sessions by router name, so that the sessions of one router reach Kafka one after the other, as they were
 * on the wire: a session's first batch waits until all batches of the router's earlier sessions are acknowledged.
 *
 * <p>An earlier session that is still open is superseded if it came from the same address: a router that connects again
 * no longer uses its previous connection, and BMP has no keep-alive that would reveal its end. A session from another
 * address is taken for another router with the same name: the name is taken, unless it is assured, that is, configured
 * for the address or in the router's certificate. An assured session supersedes those that merely claim the name.
 *
 * <p>Sessions are ordered by the acceptance of their connections, not by when their event loops get here. A session
 * that arrives after a later one of the same router is superseded as well, and its batches come late.
 *
 * <p>Holds as many entries as there are sessions. Thread-safe.
 */
public final class TurnQueue {
    /**
     * A session in the queue. The queue calls all methods while it holds its lock, on any thread; they must not block.
     */
    interface Entry {
        /** Grows with the order in which connections are accepted. */
        long id();

        InetAddress address();

        /** Returns whether the router's name is configured or from its certificate. */
        boolean isAssured();

        /**
         * Returns whether the router may have this name, which the operator may have configured for other addresses.
         */
        boolean mayBe(String router);

        /** Returns whether the connection is closed, so that only what has been received already is still to come. */
        boolean isClosed();

        /** The turn that the session has been waiting for has come. */
        void granted();

        /** A newer session of the router waits for this one to end. */
        void superseded(Entry newer);
    }

    /** The answer to a session that asks for its turn. */
    enum Answer {
        /** Its batches may be sent now. */
        GRANTED,
        /** It waits; {@link Entry#granted} is called when its turn has come. */
        QUEUED,
        /** An open session from another address has the name, or the operator has configured it for another address. */
        NAME_TAKEN
    }

    private final Map<String, List<Entry>> queues = new HashMap<>();
    private final Map<Entry, String> names = new HashMap<>();
    private final Set<Entry> waiting = new HashSet<>();
    private final Set<Entry> superseded = new HashSet<>();
    private final LongAdder delayed = new LongAdder();
    private final NameOwners owners;

    public TurnQueue() {
        this(NameOwners.ANY);
    }

    /** @param owners decides which names the routers of the sessions may use */
    public TurnQueue(NameOwners owners) {
        this.owners = owners;
    }

    NameOwners owners() {
        return owners;
    }

    /** Adds a session to a router's queue, unless the name is taken. */
    synchronized Answer join(String router, Entry entry) {
        if (!entry.mayBe(router) || isTaken(queues.getOrDefault(router, List.of()), entry)) {
            return Answer.NAME_TAKEN;
        }
        List<Entry> queue = queues.computeIfAbsent(router, name -> new ArrayList<>(1));
        boolean named = !router.equals(entry.address().getHostAddress());
        int position = 0;
        for (Entry other : List.copyOf(queue)) {
            boolean older = other.id() < entry.id();
            position += older ? 1 : 0;
            if (named && other.address().equals(entry.address())) {
                supersede(older ? other : entry, older ? entry : other);
            } else if (entry.isAssured() && !other.isAssured()) {
                supersede(other, entry);
            }
        }
        queue.add(position, entry);
        names.put(entry, router);
        if (mustWait(queue, entry)) {
            waiting.add(entry);
            delayed.increment();
            return Answer.QUEUED;
        }
        return Answer.GRANTED;
    }

    private static boolean isTaken(List<Entry> queue, Entry entry) {
        return !entry.isAssured()
                && queue.stream()
                        .anyMatch(other -> !other.isClosed() && !other.address().equals(entry.address()));
    }

    private void supersede(Entry older, Entry newer) {
        if (!older.isClosed() && superseded.add(older)) {
            older.superseded(newer);
        }
    }

    /** Removes a session whose batches are all acknowledged, or that has none; does nothing if it never joined. */
    synchronized void leave(Entry entry) {
        String router = names.remove(entry);
        if (router == null) {
            return;
        }
        waiting.remove(entry);
        superseded.remove(entry);
        List<Entry> queue = queues.getOrDefault(router, List.of());
        queue.remove(entry);
        if (queue.isEmpty()) {
            queues.remove(router);
        }
        for (Entry next : queue) {
            if (waiting.contains(next) && !mustWait(queue, next)) {
                waiting.remove(next);
                next.granted();
            }
        }
    }

    /** Returns whether a session before this one is closed or superseded, and so about to end. */
    private boolean mustWait(List<Entry> queue, Entry entry) {
        for (Entry earlier : queue) {
            if (earlier == entry) {
                return false;
            }
            if (earlier.isClosed() || superseded.contains(earlier)) {
                return true;
            }
        }
        return false;
    }

    /** Returns how many sessions wait for an earlier session of their router. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Returns how many sessions have had to wait so far. */
    public long delayed() {
        return delayed.sum();
    }
}
