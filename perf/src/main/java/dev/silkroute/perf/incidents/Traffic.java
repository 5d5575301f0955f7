package dev.silkroute.perf.incidents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The messages of the routers: tables, benign updates at a steady rate, and between them the incidents, each of which
 * ends some seconds later. Benign updates are of prefixes that the list does not have, and one in twenty of a listed
 * one: another metric, other communities, or the other upstream that is expected.
 */
final class Traffic implements AutoCloseable {
    private static final int CHUNK = 100;
    private static final int LISTED_IN = 20;
    private static final int HOLD_SECONDS = 5;
    private static final int FEEDS_OF_A_ROUTER = Network.FEEDS / 2;

    private final List<Incident> incidents;
    private final Path vrps;
    private final int prefixes;
    private final Random random;
    private final List<FeedingRouter> routers;
    /** Incidents that are going on, in the order of their ends, with the numbers of updates after which they end. */
    private final Map<Incident, Long> ends = new HashMap<>();

    private final Set<Incident> invalid = new LinkedHashSet<>();
    private final Map<Incident, Long> sentNanos = new HashMap<>();
    private double seconds;

    /**
     * @param vrps the file of VRPs that the station reads
     * @param prefixes that the list does not have, of each vantage point
     */
    Traffic(int port, IncidentPlan plan, Path vrps, int prefixes, long seed) throws IOException {
        incidents = plan.incidents();
        this.vrps = vrps;
        this.prefixes = prefixes;
        random = new Random(seed);
        routers = List.of(
                new FeedingRouter(port, "feed-1", List.of(0, 1, 2)),
                new FeedingRouter(port, "feed-2", List.of(3, 4, 5)));
    }

    private FeedingRouter router(int feed) {
        return routers.get(feed / FEEDS_OF_A_ROUTER);
    }

    /** Sends the table of each vantage point. */
    void tables() throws IOException {
        for (int feed = 0; feed < Network.FEEDS; feed++) {
            for (Incident incident : incidents) {
                announceListed(feed, incident);
            }
            for (int prefix = 0; prefix < prefixes; prefix++) {
                announceOther(feed, prefix);
            }
            router(feed).endOfRib(feed);
            router(feed).flush();
        }
    }

    private void announceListed(int feed, Incident incident) throws IOException {
        List<Integer> path = List.of(Network.UPSTREAMS.get(random.nextInt(Network.UPSTREAMS.size())), Network.MINE);
        router(feed).announce(feed, incident.listed(), path, random.nextInt(1000), false);
    }

    private void announceOther(int feed, int prefix) throws IOException {
        List<Integer> path = List.of(3000 + random.nextInt(50), 1000 + prefix % 2000);
        router(feed).announce(feed, other(prefix), path, random.nextInt(1000), false);
    }

    private static Prefix other(int prefix) {
        return Prefix.of(100 + (prefix >> 16), prefix >> 8 & 0xFF, prefix & 0xFF, 0, 24);
    }

    /** Sends benign updates, and all incidents among them. */
    void run(long updates, int rate) throws IOException {
        long begun = System.nanoTime();
        int next = 0;
        for (long sent = 0; sent < updates; sent += CHUNK) {
            LockSupport.parkNanos(begun + sent * TimeUnit.SECONDS.toNanos(1) / rate - System.nanoTime());
            for (int i = 0; i < CHUNK; i++) {
                benign();
            }
            flush();
            end(sent);
            while (next < incidents.size() && sent >= (next + 1) * updates / (incidents.size() + 1)) {
                Incident incident = incidents.get(next++);
                begin(incident);
                ends.put(incident, sent + (long) HOLD_SECONDS * rate);
            }
        }
        end(Long.MAX_VALUE);
        seconds = (System.nanoTime() - begun) / 1e9;
    }

    private void benign() throws IOException {
        int feed = random.nextInt(Network.FEEDS);
        if (random.nextInt(LISTED_IN) == 0) {
            Incident incident = incidents.get(random.nextInt(incidents.size()));
            if (!ends.containsKey(incident)) {
                announceListed(feed, incident);
            }
            return;
        }
        int prefix = random.nextInt(prefixes);
        if (random.nextInt(10) == 0) {
            router(feed).withdraw(feed, other(prefix));
        } else {
            announceOther(feed, prefix);
        }
    }

    private void begin(Incident incident) throws IOException {
        if (!incident.kind().isSent()) {
            invalid.add(incident);
            writeVrps();
            return;
        }
        for (int feed : incident.feeds()) {
            List<Integer> path = incident.kind().path();
            if (path.isEmpty()) {
                router(feed).withdraw(feed, incident.prefix());
            } else {
                boolean otc = incident.kind() == IncidentKind.CUSTOMER_LEAK;
                router(feed).announce(feed, incident.prefix(), path, random.nextInt(1000), otc);
            }
            if (feed
                    == incident.feeds()
                            .get(Math.min(
                                            incident.kind().threshold(),
                                            incident.feeds().size())
                                    - 1)) {
                sentNanos.put(incident, System.nanoTime());
            }
            router(feed).flush();
        }
    }

    /** Ends the incidents that are due after so many updates. */
    private void end(long sent) throws IOException {
        List<Incident> due = ends.keySet().stream()
                .filter(incident -> Objects.requireNonNull(ends.get(incident)) <= sent)
                .toList();
        for (Incident incident : due) {
            ends.remove(incident);
            if (!incident.kind().isSent()) {
                invalid.remove(incident);
                writeVrps();
                continue;
            }
            for (int feed : incident.feeds()) {
                if (incident.kind().isOfListedPrefix()) {
                    announceListed(feed, incident);
                } else {
                    router(feed).withdraw(feed, incident.prefix());
                }
            }
        }
        flush();
    }

    private void flush() throws IOException {
        for (FeedingRouter router : routers) {
            router.flush();
        }
    }

    private void writeVrps() throws IOException {
        Path written = Files.writeString(vrps.resolveSibling("new-" + vrps.getFileName()), Network.vrps(invalid));
        Files.move(written, vrps, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The time when the event that raises the alert was written to the socket, by {@link System#nanoTime}. */
    Map<Incident, Long> sentNanos() {
        return Map.copyOf(sentNanos);
    }

    /** Returns the duration of the benign updates. */
    double seconds() {
        return seconds;
    }

    @Override
    public void close() throws IOException {
        for (FeedingRouter router : routers) {
            router.close();
        }
    }
}
