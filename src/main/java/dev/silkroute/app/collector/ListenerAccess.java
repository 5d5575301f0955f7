package dev.silkroute.app.collector;

import dev.silkroute.collector.gate.RouterAccess;
import dev.silkroute.collector.gate.RouterTls;
import dev.silkroute.collector.sockets.BmpConnector;
import dev.silkroute.collector.sockets.FurtherListener;
import dev.silkroute.net.IpPrefix;
import io.netty.channel.Channel;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules that apply to a connection, by the listener that has accepted it. A connection that the station has opened
 * is admitted as it is: the operator has listed the router's address, and routers that listen use neither the PROXY
 * protocol nor TLS.
 */
final class ListenerAccess implements Function<Channel, RouterAccess> {
    private final RouterAccess standard;
    private final RouterAccess plain;
    private final RouterAccess secured;

    /** @param tls of the listener of {@code silkroute.bmp-port}; null if the station has no certificate */
    ListenerAccess(List<IpPrefix> balancers, List<IpPrefix> routers, @Nullable RouterTls tls) {
        standard = new RouterAccess(balancers, routers, tls);
        plain = new RouterAccess(balancers, routers, null);
        secured = new RouterAccess(balancers, routers, tls == null ? null : tls.required());
    }

    @Override
    public RouterAccess apply(Channel connection) {
        if (BmpConnector.isOutgoing(connection)) {
            return RouterAccess.OPEN;
        }
        FurtherListener listener = FurtherListener.of(connection);
        return listener == null ? standard : listener.isTls() ? secured : plain;
    }
}
