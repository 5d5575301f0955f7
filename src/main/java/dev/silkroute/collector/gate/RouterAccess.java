package dev.silkroute.collector.gate;

import dev.silkroute.net.IpPrefix;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may connect, and how.
 *
 * @param balancers whose connections begin with a header of the PROXY protocol
 * @param routers who may speak BMP, by their own addresses; everybody if there is none
 * @param tls null if BMP is spoken without
 */
public record RouterAccess(
        List<IpPrefix> balancers,
        List<IpPrefix> routers,
        @Nullable RouterTls tls) {
    /** Everybody, in plain TCP, and nobody for others. */
    public static final RouterAccess OPEN = new RouterAccess(List.of(), List.of(), null);

    public RouterAccess {
        balancers = List.copyOf(balancers);
        routers = List.copyOf(routers);
    }

    public boolean isOpen() {
        return balancers.isEmpty() && routers.isEmpty() && tls == null;
    }

    boolean isBalancer(InetAddress address) {
        return balancers.stream().anyMatch(balancer -> balancer.covers(address));
    }

    boolean allows(InetAddress router) {
        return routers.isEmpty() || routers.stream().anyMatch(allowed -> allowed.covers(router));
    }
}
