package dev.silkroute.component.nettyff;

import dev.silkroute.component.MeterGroup;

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
                        .counter("netty.ff.flushes", "Buffers handed to the socket", NettyFfEndpoint::getFlushes)
                        .counter("netty.ff.reconnects", "Connections after the first", NettyFfEndpoint::getReconnects)
                        .unit("messages")
                        .counter("netty.ff.accepted", "Messages accepted for sending", NettyFfEndpoint::getAccepted)
                        .counter("netty.ff.written", "Messages written to the socket", NettyFfEndpoint::getWritten)
                        .counter(
                                "netty.ff.failed",
                                "Messages accepted but lost before they were written",
                                NettyFfEndpoint::getFailed)
                        .counter(
                                "netty.ff.dropped",
                                "Messages dropped because the buffer was full",
                                NettyFfEndpoint::getDropped)
                        .counter(
                                "netty.ff.rejected",
                                "Messages rejected, whose exchange failed",
                                NettyFfEndpoint::getRejected)
                        .gauge(
                                "netty.ff.pending",
                                "Messages accepted and not yet written or lost",
                                NettyFfEndpoint::getPending)
                        .unit("bytes")
                        .gauge(
                                "netty.ff.pending.size",
                                "Bytes of the pending messages",
                                NettyFfEndpoint::getPendingBytes)
                        .unit("seconds")
                        .counter(
                                "netty.ff.blocked",
                                "Time that senders have waited for space",
                                each -> each.getStatistics().blockedNanos() / NANOS));
    }
}
