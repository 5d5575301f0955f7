package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.net.ByteSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One router's session, message by message: Initiation, Peer Ups, all tables in turn, each with its End-of-RIB, statistics, changes one at a time,
 * statistics again, and, on request, Peer Downs and Termination. Not thread-safe.
 */
public final class LoadRouter {
    private static final Malformation[] MALFORMATIONS = Malformation.values();

    /** Where the dice for them begin, beside the phases'. */
    private static final long MALFORMED = 100;

    private static final int CEASED = 0; // Termination, reason: administratively closed

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
    private final Deque<LoadRib> dumping;
    private final Dice dice = new Dice();
    private final FaultTally faults = new FaultTally();
    private Phase phase = Phase.BEGIN;

    /** Where the phase is, if it goes through peers or tables. */
    private int step;

    private long changed;
    private long messages;
    private long shown;
    private long announced;
    private long withdrawn;

    /** That the last message was about. */
    private @Nullable LoadRib latest;

    LoadRouter(LoadPlan plan, int number) {
        this.profile = plan.profile();
        this.number = number;
        UpdateWriter writer = new UpdateWriter(new RouteAttributes(profile.seed()));
        for (RibView view : RibView.values()) {
            if (!profile.views().contains(view)) {
                continue;
            }
            boolean locRib = view == RibView.LOC_RIB;
            for (LoadPeer peer : peers(locRib)) {
                for (Nlris nlris : plan.families()) {
                    ribs.add(new LoadRib(profile, peer, view, nlris, writer, faults));
                }
            }
        }
        dumping = new ArrayDeque<>(ribs);
    }

    private List<LoadPeer> peers(boolean locRib) {
        if (locRib || peers.isEmpty()) {
            for (int i = 0; i < (locRib ? 1 : profile.peers()); i++) {
                peers.add(new LoadPeer(profile, number, i, locRib));
            }
        }
        return peers.stream().filter(peer -> peer.locRib() == locRib).toList();
    }

    /** Its sysName. */
    public String name() {
        return String.format(Locale.ROOT, "load-%04d", number + 1);
    }

    /** Whether the next step is a change, to be made when its time has come. */
    public boolean changing() {
        return phase == Phase.CHANGES;
    }

    /** Changes made so far. */
    public long changed() {
        return changed;
    }

    /** Routes of the tables that this session is through with, withdrawn ones among them: in the end {@link LoadProfile#initialRoutes}. */
    public long shown() {
        return shown;
    }

    public long messages() {
        return messages;
    }

    /** Routes in announcements so far, which is rows of {@code v_route_history}. */
    public long announced() {
        return announced;
    }

    /** Routes in withdrawals so far, those not counted that a Peer Down ends. */
    public long withdrawn() {
        return withdrawn;
    }

    /** Appends the next messages, some few that belong together; returns how many, 0 at the end. */
    public int next(ByteSink out) {
        int count = switch (phase) {
            case BEGIN -> begin(out);
            case TABLES -> table(out);
            case STATISTICS -> statistics(changed < profile.changes(number) ? Phase.CHANGES : last(), out);
            case CHANGES -> change(out);
            case LAST_STATISTICS -> statistics(last(), out);
            case DOWN -> down(out);
            case END -> 0;
        };
        if (latest != null && malformed(latest, out)) {
            count++;
        }
        latest = null;
        messages += count;
        return count;
    }

    /**
     * Begins a whole new session, for a new connection: the tables are as the changes so far have left them, and the changes that are left
     * come after them.
     */
    public void restart() {
        ribs.forEach(LoadRib::restart);
        dumping.clear();
        dumping.addAll(ribs);
        shown = 0;
        enter(Phase.BEGIN);
    }

    /** Whether it has said goodbye: the connection is of no use any more. */
    public boolean terminated() {
        return phase == Phase.END && profile.down();
    }

    /** Sometimes a malformed message follows; whether it did. */
    private boolean malformed(LoadRib rib, ByteSink out) {
        if (profile.malformed() == 0 || rib.dumped() == 0) {
            return false;
        }
        dice.at(profile.seed(), number, messages, MALFORMED);
        if (dice.below(100) >= profile.malformed()) {
            return false;
        }
        Malformation kind;
        do {
            kind = MALFORMATIONS[dice.below(MALFORMATIONS.length)];
        } while (!rib.canHave(kind));
        // A version that no change has.
        rib.malformed(kind, dice.below(rib.dumped()), Integer.MIN_VALUE + (int) faults.total(), out);
        switch (kind.effect()) {
            case WITHDRAWN -> withdrawn++;
            case DISCARDED, KEPT -> announced++;
            case QUARANTINED -> {}
        }
        return true;
    }

    /** What the station should have found wrong with the messages so far. */
    public ExpectedFaults expectedFaults() {
        return faults.expected();
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
        return stepped(peers.size() + 1, Phase.TABLES);
    }

    /** One more of so many steps of the phase is done; the next phase follows the last. Always one message. */
    private int stepped(int steps, Phase next) {
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
        int dumped = rib.dumped();
        int count = rib.dump(out);
        announced += rib.routes() - routes;
        shown += rib.dumped() - dumped;
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
        dice.at(profile.seed(), number, changed++, Phase.CHANGES.ordinal());
        // As versions begin with 1, and 0 is the beginning's.
        int version = (int) (changed % Integer.MAX_VALUE) + 1;
        long route = profile.churn().route(dice, changed - 1, (long) ribs.size() * profile.slots());
        LoadRib rib = ribs.get((int) (route / profile.slots()));
        latest = rib;
        int slot = (int) (route % profile.slots());
        Churn.Kind kind = profile.churn().kind(dice);
        boolean withdraws = rib.announced(slot) && (kind == Churn.Kind.WITHDRAW || kind == Churn.Kind.FLAP);
        boolean announces = !withdraws || kind == Churn.Kind.FLAP;
        if (withdraws) {
            rib.withdraw(slot, out);
            withdrawn++;
        }
        if (announces) {
            if (kind == Churn.Kind.SAME && rib.announced(slot)) {
                rib.repeat(slot, out);
            } else {
                rib.announce(slot, version, out);
            }
            announced++;
        }
        if (changed == profile.changes(number)) {
            enter(Phase.LAST_STATISTICS);
        }
        return withdraws && announces ? 2 : 1;
    }

    private int statistics(Phase next, ByteSink out) {
        int size = profile.families().size();
        statistics(ribs.subList(step * size, (step + 1) * size), out);
        return stepped(ribs.size() / size, next);
    }

    /** All families of a peer in a view. */
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
            BmpEncoder.termination(CEASED, out);
        }
        return stepped(peers.size() + 1, Phase.END);
    }

    /** What the station should hold of it after the messages so far; its peers are up, or it holds nothing. */
    public List<ExpectedRib> expected() {
        return terminated()
                ? List.of()
                : ribs.stream().map(rib -> rib.expected(name())).toList();
    }
}
