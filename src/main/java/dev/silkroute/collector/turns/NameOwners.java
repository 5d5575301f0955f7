package dev.silkroute.collector.turns;

import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;

/** Decides which router may use a name that several routers can claim. Thread-safe. */
@FunctionalInterface
public interface NameOwners {
    /** Every router may use any name that no open session of this collector uses. */
    NameOwners ANY = (_, _) -> CompletableFuture.completedFuture(true);

    /**
     * Asks whether a router may use a name. The result may be complete already; otherwise it is completed by any
     * thread.
     *
     * @param identity the name, and where it comes from
     * @param address source address of the router
     */
    CompletableFuture<Boolean> claim(RouterIdentity identity, InetAddress address);
}
