package dev.silkroute.perf.postgres;

import dev.silkroute.load.Churn;
import dev.silkroute.load.LoadPlan;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.Family;
import java.util.List;

/**
 * Three synthetic routers and their messages: an IPv4 one, an IPv6 one of a quarter of its size, and one of its own for
 * the scenario. The same seed gives the same bytes.
 */
public final class Workload {
    private static final long SEED = 7_1405;
    private static final int ROUTERS = 3;
    private static final int STEPS = 200;
    private static final int HOT_PREFIXES = 2_000;

    private final int transactionEvents;
    private final TransactionFeed tables;
    private final TransactionFeed changes;
    private final TransactionFeed tablesAgain;

    private Workload(int transactionEvents) {
        this.transactionEvents = transactionEvents;
        tables = new TransactionFeed(transactionEvents, 0);
        changes = new TransactionFeed(transactionEvents, 600);
        tablesAgain = new TransactionFeed(transactionEvents, 1200);
    }

    private record Source(MonitoredRouter router, long changes) {}

    /**
     * Changes after the tables are out. Three of four are routes announced again as they were, all of them four times,
     * in groups of four with the same attributes; the others are steady churn, where each announcement has attributes
     * that no other has, and a third are withdrawals.
     */
    public static Workload history(int events, int transactionEvents) {
        Workload workload = new Workload(transactionEvents);
        workload.changes(List.of(
                source(0, Family.IPV4_UNICAST, 2, events / 1000 * 75, Churn.REDUMP, events / 100 * 60, false, 1),
                source(1, Family.IPV6_UNICAST, 2, events / 10_000 * 188, Churn.REDUMP, events / 100 * 15, false, 1),
                source(2, Family.IPV4_UNICAST, 2, events / 100 * 5, Churn.STEADY, events / 100 * 21, false, 1)));
        return workload;
    }

    /**
     * Tables, steady churn of them with three of four withdrawals left out (one in ten is one then), three of ten
     * changes on a peer of {@value #HOT_PREFIXES} prefixes; and, of new sessions, the tables once more as they were at
     * first.
     */
    public static Workload currentState(int routes, int events, int transactionEvents) {
        Workload workload = new Workload(transactionEvents);
        workload.changes(states(routes, events, 1));
        for (Source source : states(routes, 0, 11)) {
            source.router.tables(workload.tablesAgain);
        }
        workload.tablesAgain.endTransaction();
        return workload;
    }

    private static List<Source> states(int routes, int events, long session) {
        int hot = Math.min(HOT_PREFIXES, routes / 10);
        return List.of(
                source(0, Family.IPV4_UNICAST, 2, routes / 10 * 4, Churn.STEADY, events / 100 * 56, true, session),
                source(1, Family.IPV6_UNICAST, 2, routes / 10, Churn.STEADY, events / 100 * 14, true, session),
                source(2, Family.IPV4_UNICAST, 1, hot, Churn.STEADY, events / 100 * 30, true, session));
    }

    private static Source source(
            int number,
            int family,
            int peers,
            int prefixes,
            Churn churn,
            long changes,
            boolean fewWithdrawals,
            long firstSession) {
        LoadPlan plan = TestLoad.of(SEED + number, peers, Math.max(1, prefixes))
                .routers(ROUTERS)
                .families(family)
                .churn(churn, changes * ROUTERS) // as if each router had as many, of which one is taken
                .plan();
        return new Source(new MonitoredRouter(plan, number, firstSession + number, fewWithdrawals), changes);
    }

    private void changes(List<Source> sources) {
        for (Source source : sources) {
            source.router.tables(tables);
        }
        tables.endTransaction();
        for (int step = 0; step < STEPS; step++) {
            for (Source source : sources) {
                long to = source.changes * (step + 1) / STEPS;
                for (long change = source.changes * step / STEPS; change < to; change++) {
                    source.router.change(changes);
                }
            }
        }
        sources.forEach(source -> source.router.flush(changes, 1));
        changes.endTransaction();
    }

    public int transactionEvents() {
        return transactionEvents;
    }

    public TransactionFeed tables() {
        return tables;
    }

    public TransactionFeed changes() {
        return changes;
    }

    public TransactionFeed tablesAgain() {
        return tablesAgain;
    }
}
