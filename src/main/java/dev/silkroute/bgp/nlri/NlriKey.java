package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;

/**
 * Which bytes of an NLRI make it another route.
 *
 * <p>Most families: all of them. EVPN says for each route type which fields are attributes in the NLRI's clothes (labels, gateway, often
 * the ESI): an announcement with others replaces the route, a withdrawal with others withdraws it. Prefixes have keys of their own, from
 * {@link NlriReader}'s fields.
 */
public final class NlriKey {
    private NlriKey() {}

    /**
     * Appends the key of a whole NLRI, without path identifier, that {@link NlriFormat} has found. Allocates nothing but what the sink may
     * need to grow. Keys of different routes of a family differ.
     */
    public static void write(int family, byte[] b, int from, int to, ByteSink out) {
        NlriCodec.of(family).key(b, from, to, out);
    }
}
