package dev.silkroute.alert;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a prefix, a router or a peer that some vantage points see. It raises an alert when enough of them are
 * current; for an alert to stay open, those whose feed is stale count as well, because they contradict nothing.
 */
final class Condition {
    private final AlertRule rule;
    private final String subject;
    private final String text;
    private final List<String> suppressedBy;
    private final Map<VantagePoint, Evidence> evidence = new TreeMap<>();
    private final Map<VantagePoint, Evidence> current = new TreeMap<>();

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
        evidence.putIfAbsent(of.vantagePoint(), of);
        if (isCurrent) {
            current.putIfAbsent(of.vantagePoint(), of);
        }
    }

    boolean opens(int threshold) {
        return current.size() >= threshold;
    }

    boolean staysOpen(int threshold) {
        return evidence.size() >= threshold;
    }

    /** Returns one event for each vantage point: of the current ones only, if they are enough. */
    List<Evidence> evidence(int threshold) {
        return List.copyOf((opens(threshold) ? current : evidence).values());
    }

    /** Returns the exclusions that an entry offers for a rule. */
    static String exclusion(AlertRule rule, @Nullable MonitoredPrefix entry) {
        return "excludeMonitors of " + (entry == null ? "the prefix" : entry.prefix()) + " contains " + rule.monitor();
    }
}
