package dev.silkroute.component.bmp;

import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.NamedNode;
import org.apache.camel.Route;
import org.apache.camel.spi.RoutePolicy;
import org.apache.camel.spi.RoutePolicyFactory;
import org.apache.camel.support.RoutePolicySupport;

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
            if (exchange.getIn().getBody() instanceof FrameBatch batch && exchange.getProperty(PENDING) == null) {
                exchange.setProperty(PENDING, new Pending(route, batch));
            }
        }

        @Override
        public void onExchangeDone(Route route, Exchange exchange) {
            if (exchange.getProperty(PENDING) instanceof Pending pending && pending.route == route) {
                exchange.removeProperty(PENDING);
                pending.batch.done();
            }
        }
    }

    /** A batch and the route that took it from the socket: only that route's end is the batch's end. */
    private record Pending(Route route, FrameBatch batch) {}
}
