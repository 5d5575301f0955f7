package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Hex;

/** NLRI of families without a known layout: the whole field is one NLRI, and its text is its hex digits. */
enum OpaqueNlri implements NlriCodec {
    INSTANCE;

    @Override
    public int next(byte[] b, int at, int limit) {
        return limit;
    }

    @Override
    public void text(byte[] b, int from, int to, StringBuilder out) {
        out.append(Hex.of(b, from, to));
    }
}
