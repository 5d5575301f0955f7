package dev.silkroute.bgp.attribute;

import dev.silkroute.bgp.attribute.AsPath.Segment;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** AS paths from {@link AsPath#text}; numbers in a row are one sequence. */
final class AsPathParser {
    private static final Pattern SEGMENT =
            Pattern.compile("\\s*(?:\\{([0-9, ]+)}|\\(([0-9, ]+)\\)|\\[([0-9, ]+)]|([0-9]+(?:\\s+[0-9]+)*))");

    private AsPathParser() {}

    static AsPath parse(String text) {
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
            throw new IllegalArgumentException("no AS path from character " + at + " on: " + text);
        }
        return new AsPath(List.copyOf(segments));
    }

    private static Segment segment(SegmentType type, String asns) {
        List<Long> numbers = new ArrayList<>();
        for (String asn : asns.strip().split("[\\s,]+", -1)) {
            numbers.add(CommunityCodecs.unsigned(asn, 32));
        }
        return new Segment(type, List.copyOf(numbers));
    }
}
