package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import java.util.HexFormat;

/** A family whose layout is not known: the whole field is one NLRI, its text the hex digits. */
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

    @Override
    public void parse(NlriTokens in, ByteSink out) {
        byte[] bytes = HexFormat.of().parseHex(in.word());
        if (bytes.length == 0) {
            throw in.fault("no bytes");
        }
        out.bytes(bytes, 0, bytes.length);
    }
}
