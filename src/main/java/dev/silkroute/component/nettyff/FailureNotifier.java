package dev.silkroute.component.nettyff;

import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ExchangePattern;
import org.apache.camel.Message;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.spi.ExceptionHandler;
import org.apache.camel.support.LoggingExceptionHandler;
import org.jspecify.annotations.Nullable;

/**
 * Sends an exchange to the {@code onFailure} endpoint after a loss and to {@code onReconnect} after a reconnection. It
 * uses a Camel thread of its own, so the event loop never runs a route. Losses that occur before an earlier one has
 * been sent are merged with it, so they do not accumulate in front of a slow route. Thread-safe.
 */
final class FailureNotifier {
    private final NettyFfEndpoint endpoint;
    private final ExceptionHandler exceptionHandler;
    private @Nullable ExecutorService executor;
    private @Nullable ProducerTemplate template;
    private @Nullable LostMessages unsent;
    private boolean isReconnectUnsent;

    FailureNotifier(NettyFfEndpoint endpoint) {
        this.endpoint = endpoint;
        exceptionHandler = new LoggingExceptionHandler(endpoint.getCamelContext(), NettyFfProducer.class);
    }

    synchronized void lost(LostMessages lost) {
        if (endpoint.getConfiguration().getOnFailure() == null || lost.messages() == 0) {
            return;
        }
        unsent = unsent == null ? lost : unsent.plus(lost);
        executor().execute(this::sendFailure);
    }

    synchronized void reconnected() {
        if (endpoint.getConfiguration().getOnReconnect() != null && !isReconnectUnsent) {
            isReconnectUnsent = true;
            executor().execute(this::sendReconnect);
        }
    }

    private ExecutorService executor() {
        if (executor == null) {
            CamelContext camel = endpoint.getCamelContext();
            executor = camel.getExecutorServiceManager().newSingleThreadExecutor(this, "netty-ff notifier");
            template = camel.createProducerTemplate();
        }
        return executor;
    }

    private void sendFailure() {
        LostMessages lost;
        synchronized (this) {
            lost = unsent;
            unsent = null;
        }
        if (lost != null) {
            send(endpoint.getConfiguration().getOnFailure(), exchange -> {
                Message message = exchange.getIn();
                message.setHeader(NettyFfConstants.FAILED_MESSAGES, lost.messages());
                message.setHeader(NettyFfConstants.FAILED_BYTES, lost.bytes());
                message.setHeader(NettyFfConstants.CAUSE, lost.cause().toString());
                exchange.setProperty(Exchange.EXCEPTION_CAUGHT, lost.cause());
            });
        }
    }

    private void sendReconnect() {
        synchronized (this) {
            isReconnectUnsent = false;
        }
        send(
                endpoint.getConfiguration().getOnReconnect(),
                exchange -> exchange.getIn()
                        .setHeader(
                                NettyFfConstants.RECONNECTS,
                                endpoint.getStatistics().reconnects()));
    }

    private void send(@Nullable String uri, Consumer<Exchange> content) {
        ProducerTemplate to;
        synchronized (this) {
            to = template;
        }
        if (uri == null || to == null) {
            return;
        }
        try {
            Exchange exchange = endpoint.createExchange(ExchangePattern.InOnly);
            exchange.getIn().setHeader(NettyFfConstants.ADDRESS, endpoint.getAddress());
            content.accept(exchange);
            to.send(uri, exchange);
            if (exchange.getException() != null) {
                exceptionHandler.handleException(
                        "Notification of " + uri + " failed", exchange, exchange.getException());
            }
        } catch (Exception e) {
            exceptionHandler.handleException("Notification of " + uri + " failed", e);
        }
    }

    /** Sends what is left, for at most five seconds, and stops. */
    void stop() {
        ExecutorService ending;
        ProducerTemplate unused;
        synchronized (this) {
            ending = executor;
            unused = template;
            executor = null;
        }
        if (ending != null && unused != null) {
            endpoint.getCamelContext().getExecutorServiceManager().shutdownGraceful(ending, 5_000);
            unused.stop();
        }
    }
}
