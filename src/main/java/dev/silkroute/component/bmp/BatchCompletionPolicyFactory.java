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
 * Tells a {@link FrameBatch} when its exchange is done, whatever steps the route has: back-pressure doesn't depend on how
 * users edit it.
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
            // A further route that gets the exchange is part of the first one's.
            if (exchange.getIn().getBody() instanceof FrameBatch batch && exchange.getProperty(PENDING) == null) {
                exchange.setProperty(PENDING, true);
                exchange.getExchangeExtension().addOnCompletion(new Done(batch));
            }
        }
    }

    /** Not the policy's own callback for the end of an exchange, because that one is left out while Camel stops. */
    private static final class Done extends SynchronizationAdapter {
        private final FrameBatch batch;

        private Done(FrameBatch batch) {
            this.batch = batch;
        }

        @Override
        public void onDone(Exchange exchange) {
            batch.done();
        }

        /** What copies of the exchange become is not waited for here: a step that waits for them holds up the exchange itself. */
        @Override
        public boolean allowHandover() {
            return false;
        }
    }
}
