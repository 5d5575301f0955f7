package dev.silkroute.app.rpki;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.rpki.rtr.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/** The meters of one RTR cache. */
final class RtrCacheMeters {
    private final MeterRegistry registry;
    private final String name;
    private final Counter failures;

    RtrCacheMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        failures = MeterGroup.counter(registry, Metric.RPKI_RTR_FAILURES, "cache", name);
    }

    void register(RtrCache cache, RtrVrps group, LongAdder routerKeys) {
        new MeterGroup<>(registry, cache, "cache", name)
                .gauge(Metric.RPKI_RTR_SYNCHRONIZED, each -> group.isSynchronized(each) ? 1 : 0)
                .gauge(Metric.RPKI_RTR_USED, each -> group.isUsed(each) ? 1 : 0)
                .gauge(
                        Metric.RPKI_RTR_VRPS,
                        each -> each.read(got -> got.data().vrps().size()))
                .gauge(
                        Metric.RPKI_RTR_ASPAS,
                        each -> each.read(got -> got.data().aspas().size()))
                .gauge(
                        Metric.RPKI_RTR_SERIAL,
                        each -> each.read(
                                got -> Integer.toUnsignedLong(got.data().serial())))
                .gauge(Metric.RPKI_RTR_END_OF_DATA, each -> each.read(got -> got.atMillis() / 1e3));
        new MeterGroup<>(registry, routerKeys, "cache", name)
                .counter(Metric.RPKI_RTR_IGNORED, LongAdder::sum, "type", "router-key");
    }

    void failed() {
        failures.increment();
    }

    void errorSent(ErrorCode code) {
        error("sent", code);
    }

    void errorReceived(ErrorCode code) {
        error("received", code);
    }

    private void error(String direction, ErrorCode code) {
        MeterGroup.counter(
                        registry, Metric.RPKI_RTR_ERRORS, "cache", name, "direction", direction, "error", code.text())
                .increment();
    }
}
