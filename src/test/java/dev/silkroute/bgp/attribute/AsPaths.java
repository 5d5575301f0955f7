package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses AS paths in the form of {@link AsPath#text}; consecutive numbers are one sequence. */
public final class AsPaths {
    private static final Pattern SEGMENT =
            Pattern.compile("\\s*(?:\\{([0-9, ]+)}|\\(([0-9, ]+)\\)|\\[([0-9, ]+)]|([0-9]+(?:\\s+[0-9]+)*))");

    private AsPaths() {}

    public static AsPath parse(String text) {
        List<Segment> segments = new ArrayList<>();
        Matcher matcher = SEGMENT.matcher(text);
        int at = 0;
        while (matcher.find(at) && matcher.start() == at) {
            if (matcher.group(1) != null) {
                segments.add(segment(SegmentType.SET, matcher.group(1)));
            } else if (matcher.group(2) != null) {
                segments.add(segment(SegmentType.CONFED_SEQUENCE, matcher.group(2)));
            } else if (matcher.group(3) != null) {
                segments.add(segment(SegmentType.CONFED_SET, matcher.group(3)));
            } else {
                segments.add(segment(SegmentType.SEQUENCE, matcher.group(4)));
            }
            at = matcher.end();
        }
        if (!text.substring(at).isBlank()) {
            throw new IllegalArgumentException("'" + text + "' is not a valid AS path from character " + at);
        }
        return new AsPath(List.copyOf(segments));
    }

    private static Segment segment(SegmentType type, String asns) {
        List<Long> numbers = new ArrayList<>();
        for (String asn : asns.strip().split("[\\s,]+", -1)) {
            numbers.add(Long.parseLong(asn));
        }
        return new Segment(type, List.copyOf(numbers));
    }
}
