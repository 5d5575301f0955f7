package dev.silkroute.component.nettyff;

import java.util.Objects;
import org.apache.camel.AsyncCallback;
import org.apache.camel.Exchange;
import org.apache.camel.Suspendable;
import org.apache.camel.support.DefaultAsyncProducer;
import org.jspecify.annotations.Nullable;

/**
 * The producer of one route step. Camel creates one for each step; all of them delegate to the endpoint's single
 * {@link NettyFfProducer}.
 */
final class DelegatingProducer extends DefaultAsyncProducer implements Suspendable {
    private volatile @Nullable NettyFfProducer shared;

    DelegatingProducer(NettyFfEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public NettyFfEndpoint getEndpoint() {
        return (NettyFfEndpoint) super.getEndpoint();
    }

    @Override
    public boolean process(Exchange exchange, AsyncCallback callback) {
        NettyFfProducer producer = shared;
        if (producer == null || isSuspendingOrSuspended()) {
            Payload.release(exchange.getIn().getBody());
            exchange.setException(new SendRejectedException("the producer is stopped or suspended", 0, null));
            callback.done(true);
            return true;
        }
        return producer.process(exchange, callback);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        if (shared == null) {
            shared = getEndpoint().acquire();
        }
    }

    @Override
    protected void doSuspend() throws Exception {
        Objects.requireNonNull(shared).drainOrClose("suspended");
        super.doSuspend();
    }

    @Override
    protected void doStop() throws Exception {
        if (shared != null) {
            shared = null;
            getEndpoint().release();
        }
        super.doStop();
    }
}
