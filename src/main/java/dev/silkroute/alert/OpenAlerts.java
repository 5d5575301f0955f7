package dev.silkroute.alert;

import dev.silkroute.alert.record.AlertEvent;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The open alerts, and the times of the last notifications of recently closed ones. Not thread-safe. */
final class OpenAlerts {
    /** Maximum number of closed alerts whose last notification is remembered. */
    private static final int MAX_CLOSED = 10_000;

    private final AlertSettings settings;
    private final Consumer<AlertRecord> output;
    private final TreeMap<String, Alert> open = new TreeMap<>();
    private final Map<String, Long> closed = new LinkedHashMap<>();

    OpenAlerts(AlertSettings settings, Consumer<AlertRecord> output) {
        this.settings = settings;
        this.output = output;
    }

    int size() {
        return open.size();
    }

    Collection<Alert> all() {
        return open.values();
    }

    void restore(Alert alert) {
        open.put(alert.key(), alert);
    }

    /** Opens, updates and closes the alerts about a subject, so that they correspond to its conditions. */
    void update(AlertSubject subject, AlertScope scope, Map<String, Condition> conditions, long at) {
        for (Alert alert : about(subject)) {
            Condition condition = conditions.get(alert.key());
            if (condition == null || !condition.staysOpen(settings.threshold(alert.rule()))) {
                close(alert, at);
            }
        }
        conditions.forEach((key, condition) -> {
            int threshold = settings.threshold(condition.rule());
            Alert alert = open.get(key);
            if (alert != null) {
                open.put(key, alert.with(condition.evidence(threshold), alert.notifiedAt()));
            } else if (condition.opens(threshold)) {
                open(key, subject, scope, condition, at);
            }
        });
    }

    /** Returns the alerts about a subject. Keys of other subjects may begin with its key and a space, too. */
    private List<Alert> about(AlertSubject subject) {
        return open.subMap(subject.key() + " ", subject.key() + "!").values().stream()
                .filter(alert -> alert.subject().equals(subject))
                .toList();
    }

    private void open(String key, AlertSubject subject, AlertScope scope, Condition condition, long at) {
        Long notified = closed.remove(key);
        boolean notify = notified == null || at - notified >= settings.notificationIntervalMicros();
        int threshold = settings.threshold(condition.rule());
        List<Evidence> evidence = condition.evidence(threshold);
        List<String> suppressedBy = new ArrayList<>(condition.suppressedBy());
        if (condition.rule().countsVantagePoints()) {
            suppressedBy.add("a threshold of more than " + evidence.size() + " vantage points");
        }
        Alert alert = new Alert(
                key,
                condition.rule(),
                subject,
                scope,
                condition.text(),
                threshold,
                evidence,
                suppressedBy,
                at,
                notified == null || notify ? at : notified);
        open.put(key, alert);
        send(alert, AlertEvent.OPENED, at, notify);
    }

    private void close(Alert alert, long at) {
        open.remove(alert.key());
        closed.put(alert.key(), alert.notifiedAt());
        if (closed.size() > MAX_CLOSED) {
            closed.remove(closed.keySet().iterator().next());
        }
        send(alert, AlertEvent.CLOSED, Math.max(at, alert.openedAt()), alert.notifiedAt() >= alert.openedAt());
    }

    /** Returns when the next notification is due, {@link Long#MAX_VALUE} if there is none. */
    long nextRepetition() {
        return nextRepetition(open.values());
    }

    /** Returns when the next notification about a subject is due, {@link Long#MAX_VALUE} if there is none. */
    long nextRepetition(AlertSubject subject) {
        return nextRepetition(about(subject));
    }

    private long nextRepetition(Collection<Alert> of) {
        return of.stream()
                .mapToLong(alert -> alert.notifiedAt() + settings.notificationIntervalMicros())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Notifies again of alerts that have been open for another interval. */
    void repeat(long at) {
        open.replaceAll((key, alert) -> repeat(alert, at));
    }

    /** Notifies again of alerts about a subject that have been open for another interval. */
    void repeat(AlertSubject subject, long at) {
        about(subject).forEach(alert -> open.put(alert.key(), repeat(alert, at)));
    }

    private Alert repeat(Alert alert, long at) {
        if (at - alert.notifiedAt() < settings.notificationIntervalMicros()) {
            return alert;
        }
        Alert notified = alert.notified(at);
        send(notified, AlertEvent.REPEATED, at, true);
        return notified;
    }

    private void send(Alert alert, AlertEvent event, long at, boolean notify) {
        output.accept(new AlertRecord(alert.key(), at, alert.json(event, at, notify)));
    }
}
