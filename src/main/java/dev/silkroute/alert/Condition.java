package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.VantagePoint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a prefix, a router, a peer or a table that some vantage points see. It raises an alert when enough of
 * them are current; for an alert to stay open, those whose feed is stale count as well, because they contradict
 * nothing.
 */
final class Condition {
    private final AlertRule rule;
    private final String subject;
    private final String text;
    private final List<String> suppressedBy;
    private final Map<Source, Evidence> evidence = new TreeMap<>();
    private final Map<Source, Evidence> current = new TreeMap<>();

    /** A vantage point, or one of its events if several count. */
    private record Source(VantagePoint vantagePoint, long session, long sequence) implements Comparable<Source> {
        private static final Comparator<Source> ORDER = Comparator.comparing(Source::vantagePoint)
                .thenComparingLong(Source::session)
                .thenComparingLong(Source::sequence);

        static Source of(Evidence event) {
            return new Source(event.vantagePoint(), 0, 0);
        }

        @Override
        public int compareTo(Source other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * @param subject distinguishes alerts of the same rule about the same subject, such as an AS;
     *     empty if there is only one
     * @param suppressedBy the settings with which there would be no alert
     */
    Condition(AlertRule rule, String subject, String text, List<String> suppressedBy) {
        this.rule = rule;
        this.subject = subject;
        this.text = text;
        this.suppressedBy = suppressedBy;
    }

    AlertRule rule() {
        return rule;
    }

    String text() {
        return text;
    }

    List<String> suppressedBy() {
        return suppressedBy;
    }

    /** Returns what identifies the alert while it is open; begins with the key of its subject and a space. */
    String key(AlertSubject of) {
        return of.key() + " " + rule.text() + (subject.isEmpty() ? "" : " " + subject);
    }

    void add(Evidence of, boolean isCurrent) {
        Source source = Source.of(of);
        evidence.putIfAbsent(source, of);
        if (isCurrent) {
            current.putIfAbsent(source, of);
        }
    }

    /** Adds an event that is current, in addition to others of its vantage point. */
    void addEvent(Evidence of) {
        Source source = new Source(of.vantagePoint(), of.sessionId(), of.sequence());
        evidence.put(source, of);
        current.put(source, of);
    }

    boolean opens(int threshold) {
        return current.size() >= threshold;
    }

    boolean staysOpen(int threshold) {
        return evidence.size() >= threshold;
    }

    /** Returns one event for each vantage point, or all added by themselves: of the current ones only, if enough. */
    List<Evidence> evidence(int threshold) {
        return List.copyOf((opens(threshold) ? current : evidence).values());
    }

    /** Returns the exclusions that an entry offers for a rule. */
    static String exclusion(AlertRule rule, @Nullable MonitoredPrefix entry) {
        return "excludeMonitors of " + (entry == null ? "the prefix" : entry.prefix()) + " contains "
                + (rule.monitor().isEmpty() ? rule.text() : rule.monitor());
    }
}
