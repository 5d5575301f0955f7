package dev.silkroute.perf.decode;

import dev.silkroute.perf.report.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results of the measured rounds. */
record Comparison(List<Contender> contenders, List<Stream> streams) {
    /** The synthetic stream is held to the bounds; it is the one that every contender must understand alike. */
    List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (Stream stream : streams) {
            boolean held = stream.number() == 0;
            for (Depth depth : Depth.values()) {
                for (Contender other : contenders) {
                    // The others make objects of everything, so these stand for our objects too.
                    String suffix = depth == Depth.FIELDS ? depth.suffix() : "";
                    boolean go = other.name().equals(Opponents.GOBGP + suffix);
                    if (go || other.name().equals(Opponents.NETGAUZE + suffix)) {
                        boolean bound = held && depth != Depth.OBJECTS;
                        lines.add(Line.higher(
                                depth.measure() + ", " + stream.name(),
                                go ? "GoBGP's packet/bmp" : "NetGauze's BmpCodec",
                                "messages/CPU s",
                                own(depth).over(other, stream),
                                bound ? go ? 4.0 : 0.7 : null,
                                bound ? go ? 8.0 : 2.0 : null,
                                checked(own(depth), other, stream)));
                    }
                }
            }
        }
        return lines;
    }

    private Contender own(Depth depth) {
        return contenders.get(depth.ordinal());
    }

    private static String checked(Contender own, Contender other, Stream stream) throws IOException {
        Counts ours = own.counts(stream);
        Counts theirs = other.counts(stream);
        if (ours.equals(theirs)) {
            return "%s stream: the same for both sides: %d messages, %d announced and %d withdrawn prefixes, %d attributes, %d errors, digest of every prefix and attribute value"
                    .formatted(
                            stream.name(),
                            ours.messages(),
                            ours.announced(),
                            ours.withdrawn(),
                            ours.attributes(),
                            ours.errors());
        }
        if (stream.number() == 0) {
            throw new IllegalStateException(own.name() + " found " + ours.text() + ", " + other.name() + " found "
                    + theirs.text() + ": no ratio to be had");
        }
        return "%s stream: same bytes, but not understood alike, see the table".formatted(stream.name());
    }

    List<Map<String, Object>> information() throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Stream stream : streams) {
            for (Contender contender : contenders) {
                Counts counts = contender.counts(stream);
                double perCpuSecond = contender.median(stream, Contender.Run::perCpuSecond);
                double allocated = contender.median(stream, Contender.Run::allocated);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("stream", stream.name());
                row.put("contender", contender.name());
                row.put("messages/CPU s", Math.round(perCpuSecond));
                row.put("ns/message", Math.round(1e9 / perCpuSecond));
                row.put("MB/CPU s", Math.round(perCpuSecond * stream.bytes() / counts.messages() / 1e6));
                row.put("messages/s", Math.round(contender.median(stream, Contender.Run::perSecond)));
                row.put("bytes allocated/message", Double.isNaN(allocated) ? "" : Math.round(allocated));
                row.put("messages", counts.messages());
                row.put("announced", counts.announced());
                row.put("withdrawn", counts.withdrawn());
                row.put("attributes", counts.attributes());
                row.put("errors", counts.errors());
                rows.add(row);
            }
        }
        return rows;
    }
}
