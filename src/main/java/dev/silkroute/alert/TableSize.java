package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The number of routes of the subject of one entry, now and within the time of its {@code change}. It is evaluated at
 * multiples of ten seconds. Not thread-safe.
 */
final class TableSize {
    private final AlertSubject.OfTable subject;
    private final MonitoredTable entry;
    private final List<CountedTable> tables = new ArrayList<>();
    /** The numbers of routes while the tables were complete, oldest first; each holds until the next one. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Null if the entry does not compare the table with statistics. */
    private final @Nullable TableDivergence divergence;

    /** The time of the last evaluation. */
    private long evaluatedAt;
    /** The tick at which the earliest change since then is evaluated; {@link Long#MAX_VALUE} if there is none. */
    private long changeDue = Long.MAX_VALUE;

    private record Sample(long at, int routes) {}

    TableSize(AlertSubject.OfTable subject, MonitoredTable entry) {
        this.subject = subject;
        this.entry = entry;
        divergence = entry.differsPercent().isPresent() ? new TableDivergence(subject, entry) : null;
    }

    AlertSubject.OfTable subject() {
        return subject;
    }

    MonitoredTable entry() {
        return entry;
    }

    List<CountedTable> tables() {
        return tables;
    }

    /**
     * Takes over a report of the router.
     *
     * @return false if too many wait to be compared
     */
    boolean report(ReportedSize report) {
        return divergence == null || divergence.add(report);
    }

    /** Takes over an open alert that a report keeps open. */
    void restore(Alert alert) {
        if (divergence != null) {
            divergence.restore(alert);
        }
    }

    /** Takes over that something has changed, so that the result may be another one from the next tick on. */
    void changed(long at) {
        evaluateAt(AlertEngine.tickAfter(at));
    }

    /** Takes over that the result may be another one at a tick. */
    void evaluateAt(long tick) {
        changeDue = Math.min(changeDue, tick);
    }

    /** Returns the tick at which a change is evaluated, which may have passed; {@link Long#MAX_VALUE} if none waits. */
    long changeDue() {
        return changeDue;
    }

    /** Returns when the result may be another one than at the last evaluation, if no other event changes it. */
    long nextDue() {
        long due = changeDue;
        for (CountedTable table : tables) {
            long settled = table.since() + entry.settleMicros();
            if (table.isUp() && settled > evaluatedAt) {
                due = Math.min(due, settled);
            }
        }
        if (samples.size() > 1) {
            Iterator<Sample> oldest = samples.iterator();
            oldest.next();
            due = Math.min(due, oldest.next().at() + entry.withinMicros());
        }
        return divergence == null ? due : Math.min(due, divergence.nextDue());
    }

    /**
     * Returns the conditions that the number of routes meets, by their keys.
     *
     * @param isConnected whether the router has a session
     * @param session its newest session
     */
    Map<String, Condition> evaluate(boolean isConnected, long session, long now) {
        changeDue = Long.MAX_VALUE;
        evaluatedAt = now;
        Map<String, Condition> found = new TreeMap<>();
        if (tables.stream().noneMatch(CountedTable::isUp)) {
            samples.clear();
            if (divergence != null) {
                divergence.clear();
            }
            return found;
        }
        int routes = tables.stream().mapToInt(CountedTable::size).sum();
        boolean complete = isConnected && tables.stream().allMatch(table -> isSettled(table, session, now));
        boolean mentioned = isConnected && tables.stream().anyMatch(table -> table.isMentionedBy(session));
        long max = entry.max().orElse(Long.MAX_VALUE);
        if (routes > max) {
            add(found, "max", " has " + routes + " routes, the maximum is " + max, mentioned);
        }
        long min = entry.min().orElse(0);
        if (routes < min) {
            add(found, "min", " has " + routes + " routes, the minimum is " + min, complete);
        }
        if (entry.changePercent().isPresent()) {
            change(found, routes, entry.changePercent().getAsInt(), complete, now);
        }
        if (divergence != null) {
            divergence.evaluate(routes, complete, session, now);
            Condition condition = divergence.condition(mentioned);
            if (condition != null) {
                found.put(condition.key(subject), condition);
            }
        }
        return found;
    }

    /** The peers of a router that are down make its total incomplete; those that a peer had before do not count. */
    private boolean isSettled(CountedTable table, long session, long now) {
        return table.isUp()
                ? table.isComplete() && table.isMentionedBy(session) && now >= table.since() + entry.settleMicros()
                : !entry.isTotal();
    }

    private void change(Map<String, Condition> found, int routes, int percent, boolean complete, long now) {
        if (!complete) {
            samples.clear();
            return;
        }
        while (samples.size() > 1 && secondOldest().at() <= now - entry.withinMicros()) {
            samples.removeFirst();
        }
        if (samples.isEmpty() || samples.getLast().routes() != routes) {
            samples.addLast(new Sample(now, routes));
        }
        int most = samples.stream().mapToInt(Sample::routes).max().orElse(routes);
        int fewest = samples.stream().mapToInt(Sample::routes).min().orElse(routes);
        boolean fell = routes * 100L < most * (100L - percent);
        boolean rose = routes * 100L > fewest * (100L + percent);
        if (fell || rose && fewest > 0) {
            add(
                    found,
                    "change",
                    " has " + routes + " routes, more than " + percent + "% " + (fell ? "fewer" : "more") + " than the "
                            + (fell ? most : fewest) + " within the time before",
                    true);
        }
    }

    private Sample secondOldest() {
        Iterator<Sample> oldest = samples.iterator();
        oldest.next();
        return oldest.next();
    }

    private void add(Map<String, Condition> found, String field, String text, boolean isCurrent) {
        Condition condition = new Condition(
                AlertRule.TABLE_SIZE,
                field,
                subject.sentence() + text,
                List.of("another " + field + " of " + entry.text(), "no " + field + " of " + entry.text()));
        for (CountedTable table : tables) {
            if (table.isUp()) {
                condition.add(table.last(), isCurrent);
            }
        }
        found.put(condition.key(subject), condition);
    }
}
