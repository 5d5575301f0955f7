package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compares the number of routes of a table with the router's statistics. A report is compared 60 seconds after it was
 * received, with the numbers that the table had from 30 seconds before until 30 seconds after: routes that were on
 * their way make no difference, and neither does the order in which the records of the two topics are read. Not
 * thread-safe.
 */
final class TableDivergence {
    private static final long DELAY_MICROS = 60_000_000;
    private static final long SLACK_MICROS = 30_000_000;
    /** The reports of one table that wait to be compared. */
    private static final int MAX_PENDING = 100;

    private static final long NEVER = Long.MIN_VALUE;

    private final AlertSubject.OfTable subject;
    private final MonitoredTable entry;
    /** The numbers of routes, oldest first; each holds until the next one. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private final Deque<ReportedSize> pending = new ArrayDeque<>();
    /** The time of the first of the newest reports that differ one after the other. */
    private long since = NEVER;
    /** The newest report that differs; null if the newest one does not. */
    private @Nullable Evidence differing;

    private String text = "";

    private record Sample(long at, int routes, boolean isComplete) {}

    TableDivergence(AlertSubject.OfTable subject, MonitoredTable entry) {
        this.subject = subject;
        this.entry = entry;
    }

    /** Forgets everything. */
    void clear() {
        samples.clear();
        pending.clear();
        agree();
    }

    /** Takes over an alert that is open, until the next report is compared. */
    void restore(Alert alert) {
        if (!alert.evidence().isEmpty()) {
            differing = alert.evidence().getLast();
            text = alert.condition();
            since = alert.evidence().getLast().receivedAtMicros() - entry.longerThanMicros();
        }
    }

    /**
     * Takes over a report.
     *
     * @return false if too many wait to be compared
     */
    boolean add(ReportedSize report) {
        ReportedSize last = pending.peekLast();
        if (last != null && last.isSameReport(report)) {
            pending.removeLast(); // such as a type of statistic that does not specify the view
        }
        if (pending.size() >= MAX_PENDING) {
            return false;
        }
        pending.addLast(report);
        return true;
    }

    /** Returns when the next report is compared, {@link Long#MAX_VALUE} if none waits. */
    long nextDue() {
        ReportedSize first = pending.peekFirst();
        return first == null ? Long.MAX_VALUE : first.receivedAtMicros() + DELAY_MICROS;
    }

    /**
     * Takes over the number of routes, and compares the reports that are due.
     *
     * @param session the newest session of the router
     */
    void evaluate(int routes, boolean isComplete, long session, long now) {
        Sample newest = samples.peekLast();
        if (newest == null || newest.routes() != routes || newest.isComplete() != isComplete) {
            samples.addLast(new Sample(now, routes, isComplete));
        }
        while (nextDue() <= now) {
            compare(pending.removeFirst(), session);
        }
        forgetBefore(now - DELAY_MICROS - SLACK_MICROS);
    }

    /** Keeps the number that held at a time, and the later ones. */
    private void forgetBefore(long time) {
        Sample held = null;
        while (!samples.isEmpty() && samples.getFirst().at() <= time) {
            held = samples.removeFirst();
        }
        if (held != null) {
            samples.addFirst(held);
        }
    }

    private void compare(ReportedSize report, long session) {
        long from = report.receivedAtMicros() - SLACK_MICROS;
        long to = report.receivedAtMicros() + SLACK_MICROS;
        forgetBefore(from);
        Sample first = samples.getFirst();
        if (report.sessionId() != session || first.at() > from) {
            return; // of a session that is over, or the number of routes is not known
        }
        long fewest = Long.MAX_VALUE;
        long most = 0;
        for (Sample sample : samples) {
            if (sample.at() <= to) {
                if (!sample.isComplete()) {
                    agree();
                    return;
                }
                fewest = Math.min(fewest, sample.routes());
                most = Math.max(most, sample.routes());
            }
        }
        compare(report, fewest, most);
    }

    private void compare(ReportedSize report, long fewest, long most) {
        long reported = report.routes();
        long nearest = Math.clamp(reported, fewest, most);
        double tolerance = Math.max(reported, most) * (entry.differsPercent().orElse(0) / 100.0);
        if (Math.abs(reported - nearest) <= tolerance) {
            agree();
            return;
        }
        if (differing == null) {
            since = report.receivedAtMicros();
        }
        differing = Evidence.of(
                report.peer(), Evidence.STATISTICS, report.sessionId(), report.sequence(), report.receivedAtMicros());
        text = subject.sentence() + " has " + nearest + " routes, the router's statistics report " + reported;
    }

    private void agree() {
        since = NEVER;
        differing = null;
    }

    /**
     * Returns the condition that the table has differed for too long; null if it has not.
     *
     * @param isCurrent whether the router is connected
     */
    @Nullable
    Condition condition(boolean isCurrent) {
        Evidence report = differing;
        if (report == null || report.receivedAtMicros() - since < entry.longerThanMicros()) {
            return null;
        }
        Condition condition = new Condition(
                AlertRule.TABLE_DIVERGENCE,
                "",
                text,
                List.of("a larger differs of " + entry.text(), "a longer longerThan of " + entry.text()));
        condition.add(report, isCurrent);
        return condition;
    }
}
