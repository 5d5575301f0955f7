package dev.silkroute.bgp.attribute;

import dev.silkroute.net.BigEndian;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An AS path (RFC 4271, Section 4.3; RFC 5065). Immutable. */
public record AsPath(List<Segment> segments) {
    public static final AsPath EMPTY = new AsPath(List.of());

    /** @param asns unsigned, in the order of the message */
    public record Segment(SegmentType type, List<Long> asns) {}

    public enum SegmentType {
        SET("{", "}"),
        SEQUENCE("", ""),
        CONFED_SEQUENCE("(", ")"),
        CONFED_SET("[", "]");

        private static final SegmentType[] TYPES = values();

        private final String opening;
        private final String closing;

        SegmentType(String opening, String closing) {
            this.opening = opening;
            this.closing = closing;
        }

        boolean isConfederation() {
            return this == CONFED_SEQUENCE || this == CONFED_SET;
        }
    }

    /** Decodes four-octet segments, which {@link AsPathBytes#fits} has validated. */
    static AsPath decode(byte[] b, int from, int to) {
        List<Segment> segments = new ArrayList<>(1);
        int at = from;
        while (at < to) {
            Long[] asns = new Long[BigEndian.u8(b, at + 1)];
            for (int i = 0; i < asns.length; i++) {
                asns[i] = BigEndian.u32(b, at + 2 + 4 * i);
            }
            segments.add(new Segment(SegmentType.TYPES[b[at] - 1], List.of(asns)));
            at += 2 + 4 * asns.length;
        }
        return new AsPath(List.copyOf(segments));
    }

    /**
     * Returns the text, such as {@code 64500 64501 {64502,64503} (64600) [64601,64602]}: sequence, set, confederation
     * sequence, confederation set.
     */
    public String text() {
        StringBuilder text = new StringBuilder(64); // most paths are shorter
        for (int i = 0; i < segments.size(); i++) {
            if (i > 0) {
                text.append(' ');
            }
            append(text, segments.get(i));
        }
        return text.toString();
    }

    /** Returns whether the segments follow from {@link #text}, which does not separate two sequences in a row. */
    public boolean hasExactText() {
        for (int i = 1; i < segments.size(); i++) {
            if (segments.get(i).type == SegmentType.SEQUENCE && segments.get(i - 1).type == SegmentType.SEQUENCE) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether all segments are sequences, so that the text consists of AS numbers only. */
    public boolean isPlain() {
        for (Segment segment : segments) {
            if (segment.type != SegmentType.SEQUENCE) {
                return false;
            }
        }
        return true;
    }

    private static void append(StringBuilder text, Segment segment) {
        char separator = segment.type == SegmentType.SET || segment.type == SegmentType.CONFED_SET ? ',' : ' ';
        text.append(segment.type.opening);
        List<Long> asns = segment.asns;
        for (int i = 0; i < asns.size(); i++) {
            if (i > 0) {
                text.append(separator);
            }
            text.append(asns.get(i).longValue());
        }
        text.append(segment.type.closing);
    }

    /**
     * Returns the AS that originated the route: the last of the sequence at the end of the path, empty if there is a
     * set. Confederation segments are ignored.
     */
    public OptionalLong originAsn() {
        for (int i = segments.size() - 1; i >= 0; i--) {
            Segment segment = segments.get(i);
            if (!segment.type.isConfederation()) {
                return segment.type == SegmentType.SEQUENCE
                        ? OptionalLong.of(segment.asns.getLast())
                        : OptionalLong.empty();
            }
        }
        return OptionalLong.empty();
    }

    /**
     * Returns the AS that route origin validation is about (RFC 6811, Section 2): the one that originated the route, or
     * the speaker's own if the path is empty or has segments of confederations only. Empty if the path ends with a set.
     *
     * @param path null if the route has none, as if it were empty
     * @param peerAsn the AS of the peer in the per-peer header. It is the speaker's own where paths are empty: in the
     *     Loc-RIB, and of peers within the AS
     */
    public static OptionalLong validatedOrigin(@Nullable AsPath path, int peerAsn) {
        if (path != null) {
            for (Segment segment : path.segments) {
                if (!segment.type.isConfederation()) {
                    return path.originAsn();
                }
            }
        }
        return OptionalLong.of(Integer.toUnsignedLong(peerAsn));
    }

    /** Returns whether the path has an AS_SET. Sets of confederations do not count. */
    public boolean hasSet() {
        return segments.stream().anyMatch(segment -> segment.type == SegmentType.SET);
    }

    /**
     * Returns the AS numbers of the path as unsigned 32 bits, without those that repeat the one before. Confederation
     * segments are ignored.
     */
    public int[] withoutRepetitions() {
        int[] asns = new int
                [segments.stream().mapToInt(segment -> segment.asns.size()).sum()];
        int count = 0;
        for (Segment segment : segments) {
            for (long asn : segment.type.isConfederation() ? List.<Long>of() : segment.asns) {
                if (count == 0 || asns[count - 1] != (int) asn) {
                    asns[count++] = (int) asn;
                }
            }
        }
        return Arrays.copyOf(asns, count);
    }

    /** Returns every AS number of the path, including those of sets and confederations. */
    public List<Long> asns() {
        if (segments.size() == 1) {
            return segments.getFirst().asns;
        }
        return segments.stream().flatMap(segment -> segment.asns.stream()).toList();
    }
}
