package dev.silkroute.alert;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.Evidence;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.alert.record.VantagePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Evaluates the rules of {@code options.monitorQuarantine} on the records of {@code bmp.quarantine}.
 *
 * <p>The alerts on a router and its peers follow from the router's messages alone: they open at the time of a message,
 * and close or are repeated at a multiple of ten seconds. They do not depend on when the messages of other routers, or
 * the records of {@code bmp.routes}, are read. Messages of a session count unless the router has sent one in a newer
 * session.
 *
 * <p>While messages are being loaded ({@link #load}), nothing is reported; {@link #settle} then reports the difference
 * to the alerts that were open before. Not thread-safe.
 */
public final class QuarantineEngine {
    private static final long TICK_MICROS = 10_000_000;

    private final AlertRules rules;
    private final AlertSettings settings;
    private final OpenAlerts alerts;
    /** By name. One without recent messages is kept, because of its newest session. */
    private final Map<String, RouterState> routers = new TreeMap<>();

    private int messages;
    /** The messages that the counts may remember. */
    private int reserved;

    private long omitted;
    private boolean loading;

    private static final class RouterState {
        private final Map<String, UndecodableCount> counts = new TreeMap<>();
        private long session = Long.MIN_VALUE;
        private long sequence = Long.MIN_VALUE;
        /** The time up to which everything has been evaluated. */
        private long now;
        /** Nothing is due before. */
        private long nextDue = Long.MAX_VALUE;

        /** Returns whether a message is neither of an older session nor a repetition of a record. */
        boolean isNew(UndecodableMessage message) {
            return message.sessionId() > session || message.sessionId() == session && message.sequence() > sequence;
        }
    }

    private record Match(AlertSubject subject, MonitoredQuarantine entry) {}

    /** @param output receives the changes of alerts, in order */
    public QuarantineEngine(AlertRules rules, AlertSettings settings, Consumer<AlertRecord> output) {
        this.rules = rules;
        this.settings = settings;
        alerts = new OpenAlerts(settings, output);
    }

    /** Returns the number of open alerts. */
    public int openAlerts() {
        return alerts.size();
    }

    /** Returns the number of messages that are remembered. */
    public int messages() {
        return messages;
    }

    /** Returns how many messages were not counted because of a bound. */
    public long omitted() {
        return omitted;
    }

    /** Returns whether the record of an alert is one of this engine. */
    public static boolean isAbout(JsonNode record) {
        return record.path("rule").asText().equals(AlertRule.QUARANTINE_GROWTH.text());
    }

    /**
     * Takes over an alert that is open.
     *
     * @param record the newest record of the alert
     * @throws IllegalArgumentException if the record is not valid
     */
    public void restore(JsonNode record) {
        alerts.restore(Alert.read(record));
    }

    /** Forgets all messages; open alerts stay open. The messages that follow lead to the present state. */
    public void load() {
        routers.clear();
        messages = 0;
        reserved = 0;
        loading = true;
    }

    /** Returns whether messages are being loaded. */
    public boolean isLoading() {
        return loading;
    }

    /**
     * Ends loading: reports the alerts that the messages open, and those that no entry is about any more. Does nothing
     * otherwise.
     *
     * @param from the earliest time of an alert that opens
     */
    public void settle(long from) {
        if (!loading) {
            return;
        }
        loading = false;
        for (Alert alert : List.copyOf(alerts.all())) {
            MonitoredQuarantine entry = rules.monitoredQuarantine(alert.subject());
            if (entry == null) {
                alerts.update(alert.subject(), alert.scope(), Map.of(), alert.notifiedAt());
            } else {
                RouterState router = router(alert.subject().router());
                UndecodableCount count =
                        router.counts.computeIfAbsent(alert.subject().key(), key -> create(alert.subject(), entry));
                messages -= count.size();
                count.reopen(alert);
                messages += count.size();
            }
        }
        for (RouterState router : routers.values()) {
            for (UndecodableCount count : router.counts.values()) {
                if (count.isOpen()) {
                    report(count, Math.max(count.openedAt(), from));
                }
                router.nextDue = Math.min(router.nextDue, due(router, count));
            }
        }
    }

    /** Applies a message. */
    public void apply(UndecodableMessage message) {
        List<Match> matches = matches(message.peer());
        if (matches.isEmpty()) {
            return;
        }
        RouterState router = router(message.router());
        if (!router.isNew(message)) {
            return;
        }
        router.session = message.sessionId();
        router.sequence = message.sequence();
        passTo(router, message.receivedAtMicros());
        router.now = Math.max(router.now, message.receivedAtMicros());
        boolean counted = true;
        for (Match match : matches) {
            counted &= count(router, match, message.evidence());
        }
        if (!counted) {
            omitted++;
        }
    }

    private boolean count(RouterState router, Match match, Evidence message) {
        String key = match.subject().key();
        UndecodableCount count = router.counts.get(key);
        if (count == null) {
            if (reserved + UndecodableCount.capacity(match.entry()) > settings.maxRoutes()) {
                return false;
            }
            count = create(match.subject(), match.entry());
            router.counts.put(key, count);
        }
        messages -= count.size();
        count.add(message, router.now);
        messages += count.size();
        if (count.isOpen() && !loading) {
            report(count, router.now);
        }
        router.nextDue = Math.min(router.nextDue, due(router, count));
        return true;
    }

    /** Returns the entries for a message's router, and for its peer if it has one. */
    private List<Match> matches(VantagePoint of) {
        List<Match> matches = new ArrayList<>();
        add(new AlertSubject.OfRouter(of.router()), matches);
        if (!of.peerAddress().isEmpty()) {
            add(new AlertSubject.OfPeer(of), matches);
        }
        return matches;
    }

    private void add(AlertSubject subject, List<Match> matches) {
        MonitoredQuarantine entry = rules.monitoredQuarantine(subject);
        if (entry != null) {
            matches.add(new Match(subject, entry));
        }
    }

    private RouterState router(String name) {
        return routers.computeIfAbsent(name, _ -> new RouterState());
    }

    private UndecodableCount create(AlertSubject subject, MonitoredQuarantine entry) {
        reserved += UndecodableCount.capacity(entry);
        return new UndecodableCount(subject, entry);
    }

    private void report(UndecodableCount count, long at) {
        alerts.update(count.subject(), count.scope(), count.conditions(), at);
    }

    /**
     * Moves the time forward, in microseconds since 1970: reports the alerts that close or are repeated until then. All
     * messages that were received before that time should have been applied.
     */
    public void passTo(long time) {
        if (!loading) {
            routers.values().forEach(router -> passTo(router, time));
        }
    }

    private void passTo(RouterState router, long time) {
        while (router.nextDue <= time) {
            long tick = router.nextDue;
            router.now = Math.max(router.now, tick);
            router.nextDue = Long.MAX_VALUE;
            for (UndecodableCount count : List.copyOf(router.counts.values())) {
                if (isLive(router, count, tick)) {
                    router.nextDue = Math.min(router.nextDue, due(router, count));
                }
            }
        }
    }

    /**
     * Closes or repeats an alert if that is due.
     *
     * @return whether messages still count; otherwise they have been forgotten
     */
    private boolean isLive(RouterState router, UndecodableCount count, long tick) {
        boolean isOver = count.endsAt() <= tick;
        if (!count.isOpen()) {
            if (isOver) {
                router.counts.remove(count.subject().key());
                reserved -= count.capacity();
                messages -= count.size();
            }
            return !isOver;
        }
        if (isOver) {
            count.close();
        }
        if (!loading) {
            report(count, tick);
            alerts.repeat(count.subject(), tick);
        }
        return true;
    }

    private long due(RouterState router, UndecodableCount count) {
        long due = count.endsAt();
        if (count.isOpen() && !loading) {
            due = Math.min(due, alerts.nextRepetition(count.subject()));
        }
        return Math.max(router.now / TICK_MICROS + 1, Math.ceilDiv(due, TICK_MICROS)) * TICK_MICROS;
    }
}
