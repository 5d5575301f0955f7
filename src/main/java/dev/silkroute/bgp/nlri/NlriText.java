package dev.silkroute.bgp.nlri;

/**
 * Formats NLRI as canonical text: a route has one text, which does not change between releases. {@code
 * docs/reference/nlri.md} has the grammar and an example of every family and type.
 */
public final class NlriText {
    private NlriText() {}

    /**
     * Returns the text of an NLRI in the form of an announcement, without path identifier. The labels of labelled and
     * VPN prefixes are not part of it, because they are attributes of the route.
     *
     * @throws dev.silkroute.net.DecodeException if the bytes are not exactly one NLRI of the family
     */
    public static String of(int family, byte[] b, int from, int to) {
        int end = NlriFormat.end(family, b, from, to, false, false);
        if (end != to) {
            throw NlriFormat.fault(NlriFault.RUNS_OVER.asResult(), end);
        }
        StringBuilder out = new StringBuilder(80);
        NlriCodec.of(family).text(b, from, to, out);
        return out.toString();
    }
}
