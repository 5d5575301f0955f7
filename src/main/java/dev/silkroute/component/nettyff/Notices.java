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
 * Tells {@code onFailure} and {@code onReconnect}, from a Camel thread of its own, so that the event loop never runs a
 * route. Losses that come while an earlier one has not been picked up yet are told with it, so nothing piles up before a slow
 * route. Thread-safe.
 */
final class Notices {
    private final NettyFfEndpoint endpoint;
    private final ExceptionHandler exceptionHandler;
    private @Nullable ExecutorService executor;
    private @Nullable ProducerTemplate template;
    private @Nullable Loss untold;
    private boolean reconnected;

    Notices(NettyFfEndpoint endpoint) {
        this.endpoint = endpoint;
        exceptionHandler = new LoggingExceptionHandler(endpoint.getCamelContext(), NettyFfProducer.class);
    }

    /** Accepted messages are lost. */
    synchronized void failed(Loss loss) {
        if (endpoint.getConfiguration().getOnFailure() == null || loss.messages() == 0) {
            return;
        }
        untold = untold == null ? loss : untold.plus(loss);
        executor().execute(this::tellFailure);
    }

    synchronized void reconnected() {
        if (endpoint.getConfiguration().getOnReconnect() != null && !reconnected) {
            reconnected = true;
            executor().execute(this::tellReconnected);
        }
    }

    private ExecutorService executor() {
        if (executor == null) {
            CamelContext camel = endpoint.getCamelContext();
            executor = camel.getExecutorServiceManager().newSingleThreadExecutor(this, "netty-ff notices");
            template = camel.createProducerTemplate();
        }
        return executor;
    }

    private void tellFailure() {
        Loss loss;
        synchronized (this) {
            loss = untold;
            untold = null;
        }
        if (loss != null) {
            tell(endpoint.getConfiguration().getOnFailure(), exchange -> {
                Message message = exchange.getIn();
                message.setHeader(NettyFfConstants.FAILED_MESSAGES, loss.messages());
                message.setHeader(NettyFfConstants.FAILED_BYTES, loss.bytes());
                message.setHeader(NettyFfConstants.CAUSE, loss.cause().toString());
                exchange.setProperty(Exchange.EXCEPTION_CAUGHT, loss.cause());
            });
        }
    }

    private void tellReconnected() {
        synchronized (this) {
            reconnected = false;
        }
        tell(
                endpoint.getConfiguration().getOnReconnect(),
                exchange -> exchange.getIn()
                        .setHeader(
                                NettyFfConstants.RECONNECTS,
                                endpoint.getStatistics().reconnects()));
    }

    private void tell(@Nullable String uri, Consumer<Exchange> content) {
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
                exceptionHandler.handleException("Notice to " + uri + " failed", exchange, exchange.getException());
            }
        } catch (Exception e) {
            exceptionHandler.handleException("Notice to " + uri + " failed", e);
        }
    }

    /** Tells what there still is to tell. */
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
