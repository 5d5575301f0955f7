package dev.silkroute.app.routes;

import org.apache.camel.CamelContext;
import org.apache.camel.Route;
import org.apache.camel.component.netty.NettyEndpoint;

/** Finds routes that listen at a port of this machine. */
public final class Listeners {
    private Listeners() {}

    /** True if a started route listens at the port: a Netty consumer is bound when its route has started. */
    public static boolean isListening(CamelContext context, int port) {
        return context.getRoutes().stream().anyMatch(route -> listens(route, port) && isStarted(context, route));
    }

    private static boolean listens(Route route, int port) {
        return route.getEndpoint() instanceof NettyEndpoint netty
                && netty.getConfiguration().getPort() == port;
    }

    private static boolean isStarted(CamelContext context, Route route) {
        var status = context.getRouteController().getRouteStatus(route.getRouteId());
        return status != null && status.isStarted();
    }
}
