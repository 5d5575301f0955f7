package dev.silkroute.app.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.alert.AlertEngine;
import dev.silkroute.alert.AlertRules;
import dev.silkroute.alert.AlertSettings;
import dev.silkroute.alert.QuarantineEngine;
import dev.silkroute.alert.ReportedSize;
import dev.silkroute.alert.record.AlertRecord;
import dev.silkroute.alert.record.UndecodableMessage;
import dev.silkroute.app.config.ReloadedFile;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rib.FeedTarget;
import dev.silkroute.app.rib.StateTarget;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.app.rpki.VrpsInUse;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.postgres.lane.LaneOffset;
import dev.silkroute.postgres.lane.LaneSnapshot;
import dev.silkroute.postgres.state.InvalidRows;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.component.kafka.KafkaConstants;
import org.apache.camel.support.DefaultMessage;
import org.jboss.logging.Logger;

/**
 * Evaluates the rules on the records of {@code bmp.routes}, {@code bmp.stats} and {@code bmp.quarantine}. {@link
 * #evaluate} replaces the body of an exchange with the changes of alerts, a list of messages that have the key of their
 * alert.
 *
 * <p>At the first load, it takes over the {@link PublishedAlerts}. Thread-safe: the lane's consumer and the
 * metrics share it.
 */
@Singleton
final class AlertEvaluator implements StateTarget {
    private static final Logger LOGGER = Logger.getLogger(AlertEvaluator.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The longest time that an event takes to the station, in a station that is not behind. */
    private static final Duration MAX_DELAY = Duration.ofSeconds(30);
    /** The usual time that an event takes from the collector. If no events arrive, new VRPs are used after it. */
    private static final Duration MAX_TRANSIT = Duration.ofSeconds(1);

    private final PublishedAlerts published;
    private final AlertSettings settings;
    private final Optional<ReloadedFile<AlertRules>> file;
    private AlertRules rules;
    private AlertEngine engine;
    private QuarantineEngine quarantine;
    /** The number that the engines of earlier rules have omitted. */
    private long omittedBefore;

    private final List<AlertRecord> changes = new ArrayList<>();
    private final OriginValidation validation;
    private boolean restored;
    /** The largest receive time of the records so far. */
    private long newest;
    /** The VRPs by which the routes have been validated. */
    private VrpsInUse vrps;

    @Inject
    AlertEvaluator(StationConfig config, PublishedAlerts published, OriginValidation validation, MeterRegistry meters) {
        this.published = published;
        this.validation = validation;
        settings = ConfiguredRules.settings(config);
        file = ConfiguredRules.file(config);
        rules = file.map(ReloadedFile::content).orElse(AlertRules.NONE);
        vrps = validation.inUse();
        engine = engine();
        quarantine = new QuarantineEngine(rules, settings, changes::add);
        file.ifPresent(used -> new MeterGroup<>(meters, used)
                .gauge(Metric.ALERTS_RULES, ReloadedFile::size)
                .gauge(Metric.ALERTS_RULES_WRITTEN, each -> each.writtenMillis() / 1e3));
        if (config.routes().alerts().enabled()) {
            new MeterGroup<>(meters, this)
                    .gauge(Metric.ALERTS_OPEN, AlertEvaluator::openAlerts)
                    .gauge(Metric.ALERTS_ROUTES, AlertEvaluator::routes)
                    .gauge(Metric.ALERTS_MESSAGES, AlertEvaluator::messages)
                    .gauge(Metric.ALERTS_TABLES, AlertEvaluator::countedTables)
                    .gauge(Metric.ALERTS_COUNTED_ROUTES, AlertEvaluator::countedRoutes)
                    .counter(Metric.ALERTS_OMITTED, AlertEvaluator::omitted);
        }
    }

    private AlertEngine engine() {
        AlertEngine created = new AlertEngine(rules, settings, changes::add);
        created.useVrps(vrps.table());
        created.useAspas(vrps.aspas());
        return created;
    }

    /**
     * Reads the rules again if their file has changed. One thread calls this.
     *
     * @return whether they differ from those in use
     */
    boolean readRules() {
        file.ifPresent(ReloadedFile::reload);
        synchronized (this) {
            return file.isPresent() && file.get().content() != rules;
        }
    }

    /**
     * Uses the rules that have been read last, as a station that starts with them: the open alerts are taken over, and
     * what the current state changes is reported when it has been loaded. Not for use while records are evaluated.
     */
    synchronized void useRules() {
        omittedBefore = omitted();
        rules = file.map(ReloadedFile::content).orElse(AlertRules.NONE);
        vrps = validation.inUse();
        engine = engine();
        quarantine = new QuarantineEngine(rules, settings, changes::add);
        changes.clear();
        restored = false;
    }

    private synchronized int openAlerts() {
        return engine.openAlerts() + quarantine.openAlerts();
    }

    private synchronized int messages() {
        return quarantine.messages();
    }

    private synchronized int countedTables() {
        return engine.countedTables();
    }

    private synchronized int countedRoutes() {
        return engine.countedRoutes();
    }

    private synchronized long omitted() {
        return omittedBefore + engine.omitted() + quarantine.omitted();
    }

    /**
     * Evaluates the records of an exchange, a list of exchanges or one record. Then reports what the present state
     * changes, if it has been loaded and not been reported.
     */
    synchronized void evaluate(Exchange exchange, AlertFeed feed) {
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            records.forEach(record -> evaluate(((Exchange) record).getMessage(), feed));
        } else {
            evaluate(exchange.getMessage(), feed);
        }
        passTime(exchange.getMessage().getBody(), feed);
        takeChanges(exchange);
    }

    /**
     * Ends loading. While no records arrive, moves the time on, for what becomes due without them; late by {@link
     * #MAX_DELAY}, so that events that are still on their way precede it.
     */
    private void passTime(Object body, AlertFeed feed) {
        long time = micros(Instant.now().minus(MAX_DELAY));
        boolean idle = body instanceof List<?> records && records.isEmpty();
        if (feed.ready()) {
            if (engine.isLoading()) {
                vrps = validation.inUse();
                engine.useVrps(vrps.table());
                engine.useAspas(vrps.aspas());
                engine.settle();
                engine.skipTo(time);
            } else if (idle) {
                useVrps(micros(Instant.now().minus(MAX_TRANSIT)));
                engine.passTo(time);
            }
        }
        if (feed.isQuarantineReady()) {
            quarantine.settle(0);
            quarantine.passTo(idle ? time : newest - TimeUnit.SECONDS.toMicros(MAX_DELAY.toSeconds()));
        }
    }

    private void evaluate(Message record, AlertFeed feed) {
        String topic = record.getHeader(KafkaConstants.TOPIC, String.class);
        Integer partition = record.getHeader(KafkaConstants.PARTITION, Integer.class);
        Long offset = record.getHeader(KafkaConstants.OFFSET, Long.class);
        if (!feed.isNew(topic, partition, offset)) {
            return;
        }
        byte[] bytes = record.getBody(byte[].class);
        if (bytes != null) {
            try {
                if (feed.isRoutes(topic)) {
                    batch(bytes);
                } else if (feed.isQuarantine(topic)) {
                    message(bytes);
                } else {
                    statistics(bytes);
                }
            } catch (WireFormatException | IOException | IllegalArgumentException e) {
                // The lane that stores the topic reads the same record and puts it into quarantine
                LOGGER.warnf("Skipped record %s-%d@%d, which is not valid: %s", topic, partition, offset, e);
            }
        }
        feed.applied(topic, partition, offset);
    }

    private void batch(byte[] bytes) {
        RouteBatch batch = RouteBatch.read(bytes);
        if (!batch.redecoded()) {
            useVrps(batch.receivedAtMicros());
            engine.passTo(batch.receivedAtMicros());
            newest = Math.max(newest, batch.receivedAtMicros());
        }
        engine.apply(batch);
    }

    private void message(byte[] bytes) throws IOException {
        if (rules.monitorsQuarantine()) {
            JsonNode record = JSON.readTree(bytes);
            if (!UndecodableMessage.isRedecoded(record)) {
                message(UndecodableMessage.read(record));
            }
        }
    }

    private void statistics(byte[] bytes) throws IOException {
        if (rules.comparesStatistics()) {
            JsonNode record = JSON.readTree(bytes);
            if (!ReportedSize.isRedecoded(record)) {
                ReportedSize.read(record).forEach(engine::report);
            }
        }
    }

    private synchronized void message(UndecodableMessage message) {
        quarantine.apply(message);
        newest = Math.max(newest, message.receivedAtMicros());
    }

    /**
     * Uses new VRPs at their time, which is that in the database: the events before it have been evaluated, as in a
     * test of the rules on the history.
     *
     * @param until the time up to which events have been evaluated
     */
    private void useVrps(long until) {
        VrpsInUse inUse = validation.inUse();
        long since = micros(inUse.since());
        if (inUse != vrps && since < until) {
            vrps = inUse;
            engine.passTo(since);
            int routes = engine.useVrps(inUse.table());
            engine.useAspas(inUse.aspas());
            LOGGER.debugf("%d monitored routes are covered by VRPs that have changed", routes);
        }
    }

    private static long micros(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    private void takeChanges(Exchange exchange) {
        List<Message> messages = new ArrayList<>(changes.size());
        for (AlertRecord change : changes) {
            Message message = new DefaultMessage(exchange.getContext());
            message.setHeader(KafkaConstants.KEY, change.key());
            message.setBody(change.json());
            messages.add(message);
        }
        changes.clear();
        exchange.getMessage().removeHeaders("*");
        exchange.getMessage().setBody(messages);
    }

    @Override
    public String name() {
        return "Alerts";
    }

    @Override
    public synchronized void clear() throws SQLException, ExecutionException {
        restore();
        engine.load();
    }

    /** Takes over the open alerts, once. */
    private void restore() throws SQLException, ExecutionException {
        if (restored) {
            return;
        }
        for (JsonNode record : published.open()) {
            try {
                restore(record);
            } catch (IllegalArgumentException e) {
                LOGGER.warnf("An open alert is not valid and stays as it is: %s", e.getMessage());
            }
        }
        restored = true;
    }

    private void restore(JsonNode record) {
        if (QuarantineEngine.isAbout(record)) {
            quarantine.restore(record);
        } else {
            engine.restore(record);
        }
    }

    /** Returns the target that follows {@code bmp.stats}: from now on, because earlier reports do not count. */
    FeedTarget statistics() {
        return new FeedTarget() {
            @Override
            public String name() {
                return "Alerts on statistics";
            }

            @Override
            public void clear() {
                // only the newest reports are remembered
            }

            @Override
            public Map<Integer, LaneOffset> load(Connection connection, UUID topicId, InvalidRows invalid)
                    throws SQLException {
                return LaneSnapshot.read(connection, "stats", topicId, snapshot -> {});
            }

            @Override
            public String size() {
                return "nothing";
            }
        };
    }

    /** Returns the target that follows {@code bmp.quarantine}. */
    FeedTarget quarantine() {
        return new QuarantineTarget();
    }

    /** Loads the messages that still count. */
    private final class QuarantineTarget implements FeedTarget {
        private static final String LANE = "quarantine";

        @Override
        public String name() {
            return "Alerts on undecodable messages";
        }

        @Override
        public void clear() throws SQLException, ExecutionException {
            synchronized (AlertEvaluator.this) {
                restore();
                quarantine.load();
            }
        }

        @Override
        public Map<Integer, LaneOffset> load(Connection connection, UUID topicId, InvalidRows invalid)
                throws SQLException {
            return LaneSnapshot.read(connection, LANE, topicId, snapshot -> {
                if (rules.monitorsQuarantine()) {
                    QuarantinedMessages.readNewest(
                            snapshot, rules.quarantineSpanMicros(), AlertEvaluator.this::message);
                }
            });
        }

        @Override
        public String size() {
            return messages() + " messages";
        }
    }

    @Override
    public synchronized long routes() {
        return engine.routes();
    }

    @Override
    public synchronized void batch(RouteBatch batch) {
        engine.apply(batch);
    }

    @Override
    public void newestSession(String router, PeerEntry peer, long session) {
        // Follows from the batches: routes of older sessions are stale
    }

    @Override
    public synchronized void endOfRib(String router, PeerEntry peer, int family, long session) {
        engine.endOfRib(router, peer, family, session);
    }

    @Override
    public void invalidRows(String router, PeerEntry peer, long rows) {
        // Follows from the batches: the router's routes are stale
    }
}
