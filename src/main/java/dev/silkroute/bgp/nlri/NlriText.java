package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import java.util.ArrayList;
import java.util.List;

/**
 * The canonical text of an NLRI: one for each, the same for as long as it is the same route, and readable back. {@code docs/nlri.md} has
 * the grammar and an example of every family and type. Bytes are an NLRI in the form of an announcement, without path identifier.
 */
public final class NlriText {
    private NlriText() {}

    /** A word of a text. {@code type mac-ip}, {@code rd 64500:1}, {@code prefix 192.0.2.0/24}. */
    public record Field(String name, String value) {}

    /**
     * The text that users see. Labels of labelled and VPN prefixes are not in it, because they are attributes of the route.
     *
     * @throws dev.silkroute.net.DecodeException if the bytes are no NLRI of the family
     */
    public static String of(int family, byte[] b, int from, int to) {
        NlriCodec codec = checked(family, b, from, to);
        StringBuilder out = new StringBuilder(80);
        codec.text(b, from, to, out);
        return out.toString();
    }

    /**
     * The text that {@link #parse} makes the same bytes of, but for bits that mean nothing: those behind a prefix, and the longer one of
     * FlowSpec's two forms of length. It is {@link #of} with the labels of labelled and VPN prefixes, and route distinguishers whose
     * type can be told.
     *
     * @throws dev.silkroute.net.DecodeException if the bytes are no NLRI of the family
     */
    public static String exact(int family, byte[] b, int from, int to) {
        NlriCodec codec = checked(family, b, from, to);
        StringBuilder out = new StringBuilder(80);
        if (codec instanceof PrefixNlri prefix) {
            prefix.text(b, from, to, true, out);
        } else {
            codec.text(b, from, to, out);
        }
        return out.toString();
    }

    /**
     * The bytes of a text. A labelled or VPN prefix without labels gets the label field of a withdrawal, 0x800000.
     *
     * @throws IllegalArgumentException if it is no text of an NLRI of the family
     */
    public static byte[] parse(int family, String text) {
        NlriTokens in = new NlriTokens(text);
        ByteSink out = new ByteSink(64);
        NlriCodec codec = NlriCodec.of(family);
        codec.parse(in, out);
        in.end();
        return out.toByteArray();
    }

    /** The words of {@link #exact} by name. What is not {@code name=value} is named by what it is: {@code type}, {@code rd}, {@code prefix}. */
    public static List<Field> fields(int family, byte[] b, int from, int to) {
        NlriCodec codec = NlriCodec.of(family);
        List<Field> fields = new ArrayList<>();
        for (String word : exact(family, b, from, to).split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals >= 0) {
                fields.add(new Field(word.substring(0, equals), word.substring(equals + 1)));
            } else if (codec instanceof PrefixNlri) {
                fields.add(new Field(word.indexOf('/') < 0 ? "rd" : "prefix", word));
            } else {
                fields.add(new Field(codec instanceof OpaqueNlri ? "value" : "type", word));
            }
        }
        return List.copyOf(fields);
    }

    private static NlriCodec checked(int family, byte[] b, int from, int to) {
        int end = NlriFormat.end(family, b, from, to, false, false);
        if (end != to) {
            throw NlriFormat.fault(NlriFault.RUNS_OVER.asResult(), end);
        }
        return NlriCodec.of(family);
    }
}
