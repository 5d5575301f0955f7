package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;

/**
 * Extracts the bytes of an NLRI that identify its route.
 *
 * <p>In most families these are all of its bytes. EVPN specifies for each route type which fields are attributes of the
 * route (labels, the gateway, often the ESI): an announcement that differs in these only replaces the route, and a
 * withdrawal withdraws it. Prefixes are identified by {@link NlriReader}'s fields instead.
 */
public final class NlriKey {
    private NlriKey() {}

    /**
     * Appends the key of a whole NLRI, without path identifier, that {@link NlriFormat} has validated. Keys of
     * different routes of a family differ. Does not allocate, unless the sink grows.
     */
    public static void write(int family, byte[] b, int from, int to, ByteSink out) {
        NlriCodec.of(family).key(b, from, to, out);
    }
}
