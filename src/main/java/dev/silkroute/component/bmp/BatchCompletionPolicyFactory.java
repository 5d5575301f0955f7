package dev.silkroute.component.bmp;

import dev.silkroute.collector.transport.FrameBatch;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;
import org.apache.camel.support.SynchronizationAdapter;

/**
 * Releases the memory of a {@link FrameBatch} when its exchange is complete, whatever steps the route has:
 * back-pressure does not depend on how users edit the route.
 */
public final class BatchCompletionPolicyFactory implements RoutePolicyFactory {
    private static final String PENDING = "silkroute.pending";
    private static final RoutePolicy POLICY = new Completion();

    @Override
    public RoutePolicy createRoutePolicy(CamelContext context, String routeId, NamedNode route) {
        return POLICY;
    }

    private static final class Completion extends RoutePolicySupport {
        @Override
        public void onExchangeBegin(Route route, Exchange exchange) {
            // A further route that the exchange passes through belongs to the first one.
            if (exchange.getIn().getBody() instanceof FrameBatch batch && exchange.getProperty(PENDING) == null) {
                exchange.setProperty(PENDING, true);
                exchange.getExchangeExtension().addOnCompletion(new Acknowledge(batch));
            }
        }
    }

    /** Replaces the policy's own callback for the end of an exchange, which Camel omits while it stops. */
    private static final class Acknowledge extends SynchronizationAdapter {
        private final FrameBatch batch;

        private Acknowledge(FrameBatch batch) {
            this.batch = batch;
        }

        @Override
        public void onDone(Exchange exchange) {
            batch.acknowledged();
        }

        /** Copies of the exchange are not waited for: a step that has to wait for them delays the exchange itself. */
        @Override
        public boolean allowHandover() {
            return false;
        }
    }
}
