package dev.silkroute.component.nettyff;

import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;

/**
 * The endpoint's statistics as Micrometer meters. No other class of the package refers to Micrometer's classes, so the
 * component works without Micrometer on the class path.
 */
final class NettyFfMeters {
    private static final double NANOS = 1e9;

    private NettyFfMeters() {}

    /** Registers the meters if Camel's registry has a Micrometer registry. The returned action removes them. */
    static Runnable bind(NettyFfEndpoint endpoint) {
        String number = Integer.toString(endpoint.number());
        return MeterGroup.bind(
                endpoint.getCamelContext(),
                registry -> new MeterGroup<>(registry, endpoint, "address", endpoint.getAddress(), "endpoint", number)
                        .counter(Metric.NETTY_FF_ACCEPTED, NettyFfEndpoint::getAccepted)
                        .counter(Metric.NETTY_FF_WRITTEN, NettyFfEndpoint::getWritten)
                        .counter(Metric.NETTY_FF_FAILED, NettyFfEndpoint::getFailed)
                        .counter(Metric.NETTY_FF_DROPPED, NettyFfEndpoint::getDropped)
                        .counter(Metric.NETTY_FF_REJECTED, NettyFfEndpoint::getRejected)
                        .gauge(Metric.NETTY_FF_PENDING, NettyFfEndpoint::getPending)
                        .gauge(Metric.NETTY_FF_PENDING_BYTES, NettyFfEndpoint::getPendingBytes)
                        .counter(Metric.NETTY_FF_FLUSHES, NettyFfEndpoint::getFlushes)
                        .counter(Metric.NETTY_FF_RECONNECTS, NettyFfEndpoint::getReconnects)
                        .counter(
                                Metric.NETTY_FF_BLOCKED,
                                each -> each.getStatistics().blockedNanos() / NANOS));
    }
}
