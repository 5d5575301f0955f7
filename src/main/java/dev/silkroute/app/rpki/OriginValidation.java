package dev.silkroute.app.rpki;

import dev.silkroute.app.config.RibConfig;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.meters.PeriodicTask;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.route.EventCodes;
import dev.silkroute.route.PathVerification;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.RouteValidity;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.arc.Unremovable;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The validity of routes by the configured VRPs, of a file ({@code silkroute.rpki.vrps}) or of RTR caches ({@code
 * silkroute.rpki.rtr.caches}); without VRPs there is none. Routes use it as the bean {@code rpki}. Thread-safe.
 */
@Singleton
@Named("rpki")
@Metadata(
        description =
                "Validates routes by the configured VRPs (RFC 6811) and ASPAs: the method validate adds the headers rpki_validity and aspa to records of bmp.routes, one byte for each event; validateWhenRead computes them only if a step of the station reads them")
@Unremovable
public final class OriginValidation implements RouteValidity {
    private static final Logger LOGGER = Logger.getLogger(OriginValidation.class);

    private final RibConfig.Rpki config;
    private final @Nullable VrpSource source;
    private @Nullable PeriodicTask reloading;
    private VrpsInUse newest = new VrpsInUse(VrpTable.EMPTY, AspaTable.EMPTY, Instant.EPOCH);

    /** @throws dev.silkroute.app.config.UsageError if the settings are invalid */
    @Inject
    public OriginValidation(StationConfig config) {
        this.config = config.rpki();
        source = source(this.config);
    }

    /**
     * Checks the settings before a start.
     *
     * @throws dev.silkroute.app.config.UsageError if they are invalid
     */
    public static void check(StationConfig config) {
        source(config.rpki());
    }

    private static @Nullable VrpSource source(RibConfig.Rpki config) {
        Optional<RtrSettings> rtr = RtrSettings.of(config);
        if (rtr.isPresent()) {
            return new RtrVrps(rtr.get());
        }
        return config.vrps()
                .map(vrps -> new VrpFiles(vrps, config.exceptions()))
                .orElse(null);
    }

    void start(@Observes StartupEvent event, MeterRegistry meters, VrpHistory history) {
        VrpSource used = source;
        if (used == null) {
            return;
        }
        new MeterGroup<>(meters, used)
                .gauge(Metric.RPKI_VRPS, each -> each.table().size())
                .gauge(Metric.RPKI_ASPAS, each -> each.aspas().size())
                .gauge(Metric.RPKI_ASPAS_REJECTED, VrpSource::rejectedAspas)
                .gauge(Metric.RPKI_WRITTEN, each -> each.updatedAtMillis() / 1e3);
        used.start(meters);
        reloading = new PeriodicTask("VRPs", "rpki", used::reload);
        reloading.start(config.reloadInterval());
        history.start(this::inUse);
    }

    private VrpTable vrps() {
        return source == null ? VrpTable.EMPTY : source.table();
    }

    private AspaTable aspas() {
        return source == null ? AspaTable.EMPTY : source.aspas();
    }

    /**
     * Returns the newest VRPs and ASPAs. All callers receive the same time for them, so that what is stored and
     * reported of a version has one time.
     */
    public synchronized VrpsInUse inUse() {
        VrpTable table = vrps();
        AspaTable aspas = aspas();
        if (table != newest.table() || aspas != newest.aspas()) {
            newest = new VrpsInUse(table, aspas, Instant.now().truncatedTo(ChronoUnit.MICROS));
        }
        return newest;
    }

    /** Loads the VRPs once, and does not read them again. */
    public OriginValidation load() {
        if (source != null) {
            source.start(new SimpleMeterRegistry());
            source.close();
        }
        return this;
    }

    @PreDestroy
    void stop() {
        if (reloading != null) {
            reloading.close();
        }
        if (source != null) {
            source.close();
        }
    }

    /** Verifies the path of a route that a neighbor has sent, see {@link PathVerification#verify}. */
    public Optional<AspaVerdict> verify(Optional<NeighborRole> role, int neighborAsn, AsPath path) {
        return PathVerification.verify(aspas(), role, neighborAsn, path);
    }

    @Override
    public Optional<Validity> of(IpPrefix prefix, OptionalLong origin) {
        return vrps().validity(prefix, origin);
    }

    /**
     * Validates the route batches of an exchange: the record in its body, or those of a batching consumer, whose body
     * is a list of exchanges. The message of each gets the header {@value Validity#HEADER}, an array with the {@link
     * Validity#code} of each event, and {@value AspaVerdict#HEADER}, the same with the {@link AspaVerdict#code}.
     * Without VRPs or ASPAs the one or the other is absent, and both for records that are not route batches.
     */
    public void validate(Exchange exchange) {
        VrpTable table = vrps();
        AspaTable aspas = aspas();
        if (table.size() == 0 && aspas.size() == 0) {
            return;
        }
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            for (Object record : records) {
                validate(((Exchange) record).getMessage(), table, aspas);
            }
        } else {
            validate(exchange.getMessage(), table, aspas);
        }
    }

    /**
     * Adds the headers of {@link #validate} as ones whose codes are computed when the first of them is read, by the
     * VRPs and ASPAs of that moment: for steps that do not read them for most batches. Only steps of the station can
     * read them.
     */
    public void validateWhenRead(Exchange exchange) {
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            for (Object record : records) {
                defer(((Exchange) record).getMessage());
            }
        } else {
            defer(exchange.getMessage());
        }
    }

    private void defer(Message record) {
        if (vrps().size() > 0) {
            EventCodes.Deferred validity = batch -> {
                VrpTable table = vrps();
                return table.size() == 0 ? new byte[0] : new BatchValidation(batch).validate(table);
            };
            record.setHeader(Validity.HEADER, validity);
        }
        if (aspas().size() > 0) {
            EventCodes.Deferred verdicts = batch -> new BatchValidation(batch).verify(aspas());
            record.setHeader(AspaVerdict.HEADER, verdicts);
        }
    }

    private static void validate(Message record, VrpTable table, AspaTable aspas) {
        byte[] bytes = record.getBody(byte[].class);
        if (bytes == null) {
            return; // a record without a value contains no events
        }
        try {
            BatchValidation batch = new BatchValidation(RouteBatch.read(bytes));
            if (table.size() > 0) {
                record.setHeader(Validity.HEADER, batch.validate(table));
            }
            if (aspas.size() > 0) {
                record.setHeader(AspaVerdict.HEADER, batch.verify(aspas));
            }
        } catch (WireFormatException e) {
            LOGGER.debugf("A record without validity is not a route batch: %s", e.reason());
        }
    }
}
