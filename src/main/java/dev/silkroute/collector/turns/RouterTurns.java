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
 * Whose turn it is to speak for a router, so that its sessions follow one another in Kafka as they did on the wire: a session's first
 * batch waits until all batches of the router's earlier ones are through. One that is still open is asked to make way
 * first, if it came from the same address: a router that connects anew has no use for the connection before, and BMP has no
 * keep-alive that would tell of its end. From another address it is another router that takes itself for this one: the name is taken, unless
 * the operator has given it to both.
 *
 * <p>What counts is the order in which connections were accepted, not that in which their threads come to them. One that is read only when
 * a later one speaks already makes way too, and what it has comes late.
 *
 * <p>It holds as many as there are sessions. Thread-safe.
 */
public final class RouterTurns {
    /** A session that speaks for a router. All is called under this object's lock, from any thread, and must return at once. */
    interface Speaker {
        /** Grows with the order in which connections were accepted. */
        long id();

        InetAddress address();

        /** Whether the operator has named its router. */
        boolean isConfigured();

        /** Whether the operator has not given this name to others. */
        boolean mayBe(String router);

        /** Whether its connection is closed, so that nothing but what it has will come. */
        boolean isClosed();

        /** The turn it waited for has come. */
        void proceed();

        /** A newer session of the router waits for this one to end. */
        void makeWay(Speaker newer);
    }

    /** What a session is told that wants to speak. */
    enum Turn {
        /** It speaks. */
        NOW,
        /** {@link Speaker#proceed} tells when. */
        LATER,
        /** An open session from another address has the name, or the operator gave it to another address. */
        TAKEN
    }

    private final Map<String, List<Speaker>> lines = new HashMap<>();
    private final Map<Speaker, String> names = new HashMap<>();
    private final Set<Speaker> waiting = new HashSet<>();
    /** Those that were asked to make way. */
    private final Set<Speaker> leaving = new HashSet<>();

    private final LongAdder delayed = new LongAdder();

    /** Joins those who speak for a router, unless the name is taken. */
    synchronized Turn take(String router, Speaker speaker) {
        if (!speaker.mayBe(router) || isTaken(lines.getOrDefault(router, List.of()), speaker)) {
            return Turn.TAKEN;
        }
        List<Speaker> line = lines.computeIfAbsent(router, name -> new ArrayList<>(1));
        boolean named = !router.equals(speaker.address().getHostAddress());
        int place = 0;
        for (Speaker other : List.copyOf(line)) {
            boolean older = other.id() < speaker.id();
            place += older ? 1 : 0;
            if (named && other.address().equals(speaker.address())) {
                askToMakeWay(older ? other : speaker, older ? speaker : other);
            }
        }
        line.add(place, speaker);
        names.put(speaker, router);
        if (isBehind(line, speaker)) {
            waiting.add(speaker);
            delayed.increment();
            return Turn.LATER;
        }
        return Turn.NOW;
    }

    private static boolean isTaken(List<Speaker> line, Speaker speaker) {
        return line.stream()
                .anyMatch(other -> !other.isClosed()
                        && !other.address().equals(speaker.address())
                        && !(other.isConfigured() && speaker.isConfigured()));
    }

    private void askToMakeWay(Speaker older, Speaker newer) {
        if (!older.isClosed() && leaving.add(older)) {
            older.makeWay(newer);
        }
    }

    /** All of its batches are through, or it has none. */
    synchronized void leave(Speaker speaker) {
        String router = names.remove(speaker);
        if (router == null) {
            return;
        }
        waiting.remove(speaker);
        leaving.remove(speaker);
        List<Speaker> line = lines.getOrDefault(router, List.of());
        line.remove(speaker);
        if (line.isEmpty()) {
            lines.remove(router);
        }
        for (Speaker next : line) {
            if (waiting.contains(next) && !isBehind(line, next)) {
                waiting.remove(next);
                next.proceed();
            }
        }
    }

    /** Those before it that are closed, or were asked to be. */
    private boolean isBehind(List<Speaker> line, Speaker speaker) {
        for (Speaker earlier : line) {
            if (earlier == speaker) {
                return false;
            }
            if (earlier.isClosed() || leaving.contains(earlier)) {
                return true;
            }
        }
        return false;
    }

    /** Sessions that wait for an earlier one of their router. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** How many had to wait so far. */
    public long delayed() {
        return delayed.sum();
    }
}
