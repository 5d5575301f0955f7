package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.net.ByteSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Generates the BMP session of one router, message by message: Initiation, Peer Ups, all tables interleaved, each with
 * its End-of-RIB, statistics, changes one at a time, statistics again and, if the profile asks for it, Peer Downs and
 * Termination. Not thread-safe.
 */
public final class LoadRouter {
    private static final Malformation[] MALFORMATIONS = Malformation.values();

    /** The key of the random numbers for malformed messages; changes use the ordinal of their phase. */
    private static final long MALFORMED_KEY = 100;

    private static final int ADMINISTRATIVELY_CLOSED = 0; // Termination reason, RFC 7854, Section 4.5

    private enum Phase {
        BEGIN,
        TABLES,
        STATISTICS,
        CHANGES,
        LAST_STATISTICS,
        DOWN,
        END
    }

    private final LoadProfile profile;
    private final int number;
    private final List<LoadPeer> peers = new ArrayList<>();
    private final List<LoadRib> ribs = new ArrayList<>();

    /** The number of slots of each RIB and all RIBs before it. */
    private final long[] slotEnds;

    private final Deque<LoadRib> dumping;
    private final KeyedRandom random = new KeyedRandom();
    private final MalformedCounter malformed = new MalformedCounter();
    private Phase phase = Phase.BEGIN;

    /** The progress of a phase that iterates over peers or tables. */
    private int step;

    private long changes;
    private long messages;
    private long dumped;
    private long announced;
    private long withdrawn;

    /** The RIB that the last messages belong to, or null if they belong to none. */
    private @Nullable LoadRib latest;

    LoadRouter(LoadPlan plan, int number) {
        this.profile = plan.profile();
        this.number = number;
        UpdateWriter writer = new UpdateWriter(new GeneratedAttributes(profile.seed()));
        for (RibView view : RibView.values()) {
            if (!profile.views().contains(view)) {
                continue;
            }
            boolean locRib = view == RibView.LOC_RIB;
            for (LoadPeer peer : peers(locRib)) {
                for (NlriSeries nlris : plan.families()) {
                    ribs.add(new LoadRib(profile, peer, view, nlris, writer, malformed));
                }
            }
        }
        dumping = new ArrayDeque<>(ribs);
        slotEnds = ribs.stream().mapToLong(LoadRib::slots).toArray();
        Arrays.parallelPrefix(slotEnds, Long::sum);
    }

    private List<LoadPeer> peers(boolean locRib) {
        if (locRib || peers.isEmpty()) {
            for (int i = 0; i < (locRib ? 1 : profile.peers()); i++) {
                peers.add(new LoadPeer(profile, number, i, locRib));
            }
        }
        return peers.stream().filter(peer -> peer.locRib() == locRib).toList();
    }

    /** Returns the sysName of the router. */
    public String name() {
        return String.format(Locale.ROOT, "load-%04d", number + 1);
    }

    /** Returns whether the next messages are a change, which callers pace, rather than part of the table dump. */
    public boolean isChanging() {
        return phase == Phase.CHANGES;
    }

    /** Returns the number of changes generated so far, over all sessions. */
    public long changes() {
        return changes;
    }

    /**
     * Returns the number of routes that the table dump of the current session has passed, withdrawn ones included. At
     * its end the sum over all routers is {@link LoadProfile#initialRoutes}.
     */
    public long dumped() {
        return dumped;
    }

    /** Returns the number of messages generated so far, over all sessions. */
    public long messages() {
        return messages;
    }

    /** Returns the number of routes announced so far, each of which is a row of {@code v_route_history}. */
    public long announced() {
        return announced;
    }

    /** Returns the number of routes withdrawn so far, not counting those that a Peer Down ends. */
    public long withdrawn() {
        return withdrawn;
    }

    /** Appends the next messages, a few that belong together. Returns how many, 0 at the end of the session. */
    public int next(ByteSink out) {
        int count = switch (phase) {
            case BEGIN -> begin(out);
            case TABLES -> table(out);
            case STATISTICS -> statistics(changes < profile.changes(number) ? Phase.CHANGES : last(), out);
            case CHANGES -> change(out);
            case LAST_STATISTICS -> statistics(last(), out);
            case DOWN -> down(out);
            case END -> 0;
        };
        if (latest != null && appendMalformed(latest, out)) {
            count++;
        }
        latest = null;
        messages += count;
        return count;
    }

    /**
     * Starts a new session for a new connection. Its tables reflect the changes made so far; the remaining changes
     * follow them.
     */
    public void restart() {
        ribs.forEach(LoadRib::restart);
        dumping.clear();
        dumping.addAll(ribs);
        dumped = 0;
        enter(Phase.BEGIN);
    }

    /** Returns whether Termination was sent, so that no new session should follow. */
    public boolean isTerminated() {
        return phase == Phase.END && profile.down();
    }

    /** Appends a malformed message with the profile's probability. Returns whether it did. */
    private boolean appendMalformed(LoadRib rib, ByteSink out) {
        if (profile.malformed() == 0 || rib.dumped() == 0) {
            return false;
        }
        random.seek(profile.seed(), number, messages, MALFORMED_KEY);
        if (random.nextInt(100) >= profile.malformed()) {
            return false;
        }
        Malformation malformation;
        do {
            malformation = MALFORMATIONS[random.nextInt(MALFORMATIONS.length)];
        } while (!rib.canHave(malformation));
        rib.malformed(malformation, random.nextInt(rib.dumped()), Integer.MIN_VALUE + (int) malformed.total(), out);
        switch (malformation.effect()) {
            case WITHDRAWN -> withdrawn++;
            case DISCARDED, KEPT -> announced++;
            case QUARANTINED -> {}
        }
        return true;
    }

    /** Returns the malformed messages generated so far, over all sessions. */
    public MalformedCounts malformedCounts() {
        return malformed.counts();
    }

    private Phase last() {
        return profile.down() ? Phase.DOWN : Phase.END;
    }

    private int begin(ByteSink out) {
        if (step == 0) {
            BmpEncoder.initiation(name(), "Silkroute load, seed " + profile.seed(), out);
        } else {
            peers.get(step - 1).up(out);
        }
        return completeStep(peers.size() + 1, Phase.TABLES);
    }

    /**
     * Completes one of {@code steps} steps of the phase and enters the next phase after the last. Returns 1, the
     * messages of a step.
     */
    private int completeStep(int steps, Phase next) {
        if (++step == steps) {
            enter(next);
        }
        return 1;
    }

    private void enter(Phase next) {
        phase = next;
        step = 0;
    }

    private int table(ByteSink out) {
        LoadRib rib = dumping.remove();
        latest = rib;
        int routes = rib.routes();
        int dumpedBefore = rib.dumped();
        int count = rib.dump(out);
        announced += rib.routes() - routes;
        dumped += rib.dumped() - dumpedBefore;
        if (count > 0) {
            dumping.add(rib);
            return count;
        }
        rib.endOfRib(out);
        if (dumping.isEmpty()) {
            enter(Phase.STATISTICS);
        }
        return 1;
    }

    private int change(ByteSink out) {
        random.seek(profile.seed(), number, changes++, Phase.CHANGES.ordinal());
        long route = profile.churn().route(random, changes - 1, slotEnds[slotEnds.length - 1]);
        int at = ribOf(route);
        LoadRib rib = ribs.get(at);
        latest = rib;
        int slot = (int) (route - (slotEnds[at] - rib.slots()));
        Churn.Kind kind = profile.churn().kind(random);
        boolean withdraws = rib.isAnnounced(slot) && (kind == Churn.Kind.WITHDRAW || kind == Churn.Kind.FLAP);
        boolean announces = !withdraws || kind == Churn.Kind.FLAP;
        if (withdraws) {
            rib.withdraw(slot, out);
            withdrawn++;
        }
        if (announces) {
            if (kind == Churn.Kind.SAME && rib.isAnnounced(slot)) {
                rib.repeat(slot, out);
            } else {
                int unused = (int) (changes % Integer.MAX_VALUE) + 1;
                rib.announce(
                        slot, profile.churn().version(random, rib.versions().version(slot), unused), out);
            }
            announced++;
        }
        if (changes == profile.changes(number)) {
            enter(Phase.LAST_STATISTICS);
        }
        return withdraws && announces ? 2 : 1;
    }

    /** Returns the index of the RIB that has a route, where routes are numbered over all RIBs. */
    private int ribOf(long route) {
        int at = Arrays.binarySearch(slotEnds, route + 1);
        return at < 0 ? -at - 1 : at;
    }

    private int statistics(Phase next, ByteSink out) {
        int size = profile.families().size();
        statistics(ribs.subList(step * size, (step + 1) * size), out);
        return completeStep(ribs.size() / size, next);
    }

    /** Appends a Statistics Report for one peer and view with all its families (types: RFC 7854, 8671 and RFC 9972). */
    private static void statistics(List<LoadRib> families, ByteSink out) {
        LoadRib first = families.getFirst();
        int total = switch (first.view()) {
            case ADJ_RIB_IN_PRE_POLICY -> 18;
            case ADJ_RIB_IN_POST_POLICY -> 20;
            case ADJ_RIB_OUT_PRE_POLICY -> 14;
            case ADJ_RIB_OUT_POST_POLICY -> 15;
            case LOC_RIB -> 8;
        };
        int perFamily = total >= 18 ? total + 1 : total + 2;
        int start = first.beginStatistics(out);
        out.u32(1 + families.size());
        long routes = families.stream().mapToLong(LoadRib::routes).sum();
        out.u16(total).u16(Long.BYTES).i64(routes);
        families.forEach(rib -> rib.statistic(perFamily, out));
        BmpEncoder.end(start, out);
    }

    private int down(ByteSink out) {
        if (step < peers.size()) {
            peers.get(step).down(out);
        } else {
            BmpEncoder.termination(ADMINISTRATIVELY_CLOSED, out);
        }
        return completeStep(peers.size() + 1, Phase.END);
    }

    /** Returns what a station should hold after the messages so far: nothing after Termination. */
    public List<TableSize> tableSizes() {
        return tables().stream()
                .map(rib -> new TableSize(name(), rib.peer().address(), rib.view(), rib.family(), rib.routes()))
                .toList();
    }

    /** Returns the RIBs that a station should hold after the messages so far: none after Termination. */
    List<LoadRib> tables() {
        return isTerminated() ? List.of() : ribs;
    }
}
