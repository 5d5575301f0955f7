package dev.silkroute.perf.forget;

import dev.silkroute.component.nettyff.NettyFfEndpoint;
import dev.silkroute.component.nettyff.NettyFfStatistics;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;

/**
 * Checks the counters of {@code netty-ff:} after failures: the counted messages divided by the exchanges that
 * succeeded, which the sender counts itself. 1 is correct; both more and less are errors.
 */
final class AccountingCheck implements AutoCloseable {
    private static final byte[] MESSAGE = new byte[60];
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final CamelContext camel = new DefaultCamelContext();
    private final CountingSink sink;
    private final NettyFfEndpoint endpoint;
    private long succeeded;

    private AccountingCheck(CountingSink sink, String options) throws Exception {
        this.sink = sink;
        String uri = "netty-ff:tcp://127.0.0.1:" + sink.port() + "?sendTimeout=200" + options;
        camel.disableJMX();
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                from("direct:in").to(uri);
            }
        });
        camel.start();
        endpoint = camel.getEndpoint(uri, NettyFfEndpoint.class);
    }

    /** The peer hangs up in the middle of the stream. */
    static double afterPeerClose() throws Exception {
        try (CountingSink sink = new CountingSink();
                AccountingCheck accounts = new AccountingCheck(sink, "&reconnect=false")) {
            sink.hangUpAfter(1_000_000);
            accounts.sendUntilRejected();
            accounts.awaitNonePending();
            return accounts.share(false);
        }
    }

    /** Stops reading at the peer, and then the route, while messages cannot be written. */
    static double afterStop() throws Exception {
        try (CountingSink sink = new CountingSink(false);
                AccountingCheck accounts = new AccountingCheck(sink, "&drainTimeout=100")) {
            accounts.sendUntilRejected();
            accounts.camel.stop();
            if (accounts.endpoint.getFailed() == 0) {
                throw new IllegalStateException("the sink was to be stalled, but all got out");
            }
            return accounts.share(false);
        }
    }

    /** The peer does not read for a while: first within the bound, in the end all arrived. */
    static double withStalledSink() throws Exception {
        try (CountingSink sink = new CountingSink(false);
                AccountingCheck accounts = new AccountingCheck(sink, "")) {
            accounts.sendUntilRejected();
            NettyFfStatistics stalled = accounts.endpoint.getStatistics();
            if (stalled.pendingBytes() > accounts.endpoint.getConfiguration().getMaxPendingBytes()
                    || stalled.accepted() != stalled.written() + stalled.pending()) {
                throw new IllegalStateException("out of bounds: " + stalled);
            }
            sink.read();
            accounts.awaitNonePending();
            return accounts.share(true);
        }
    }

    private void sendUntilRejected() {
        ProducerTemplate template = camel.createProducerTemplate();
        Exchange exchange;
        do {
            exchange = template.send("direct:in", each -> each.getIn().setBody(MESSAGE));
            succeeded += exchange.getException() == null ? 1 : 0;
        } while (exchange.getException() == null);
    }

    private void awaitNonePending() throws InterruptedException {
        if (!endpoint.flush(Duration.ofNanos(LIMIT_NANOS))) {
            throw new IllegalStateException("still pending: " + endpoint.getStatistics());
        }
    }

    private double share(boolean allArrive) {
        NettyFfStatistics s = endpoint.getStatistics();
        if (s.accepted() != succeeded || s.pending() != 0) {
            throw new IllegalStateException(succeeded + " exchanges succeeded, but " + s);
        }
        if (allArrive) {
            long limit = System.nanoTime() + LIMIT_NANOS;
            while (sink.bytes() < succeeded * MESSAGE.length) {
                if (System.nanoTime() > limit) {
                    throw new IllegalStateException("only " + sink.bytes() + " bytes arrived of " + s);
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
        return (double) (s.written() + s.failed() + s.dropped()) / succeeded;
    }

    @Override
    public void close() {
        camel.stop();
    }
}
