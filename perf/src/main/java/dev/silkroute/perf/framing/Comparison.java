package dev.silkroute.perf.framing;

import dev.silkroute.perf.report.Line;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The results of the measured rounds. */
record Comparison(int sessions, Contender camel, Contender netty, Contender threads) {
    /** The number of concurrent sessions whose ratios have bounds; other numbers are for information. */
    private static final int HELD = 8;

    private static final String CHECKED = "in every run, the concatenated records of each session equal the bytes sent;"
            + " number of messages, keys, headers and sequences are checked too";

    /** In the order of the first round. */
    List<Contender> contenders() {
        return List.of(camel, netty, threads);
    }

    Stream<Line> lines() {
        boolean held = sessions == HELD;
        String measure =
                "camel-netty route, batches, to Kafka, " + sessions + (sessions == 1 ? " session" : " sessions");
        String plain = "plain Netty and KafkaProducer, no Camel";
        String blocking = "one virtual thread per router, blocking reads";
        return Stream.of(
                Line.higher(
                        measure,
                        plain,
                        "frames/s",
                        camel.over(netty, Run::messagesPerSecond),
                        held ? 0.85 : null,
                        held ? 0.95 : null,
                        CHECKED),
                Line.higher(
                        measure,
                        blocking,
                        "frames/s",
                        camel.over(threads, Run::messagesPerSecond),
                        held ? 1.0 : null,
                        held ? 1.5 : null,
                        CHECKED),
                Line.lower(measure, plain, "CPU seconds", camel.over(netty, Run::cpuSeconds), CHECKED),
                Line.lower(measure, blocking, "CPU seconds", camel.over(threads, Run::cpuSeconds), CHECKED));
    }

    Stream<Map<String, Object>> information() {
        return contenders().stream().map(contender -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("sessions", sessions);
            row.put("arm", contender.name());
            row.put("frames/s", Math.round(contender.median(Run::messagesPerSecond)));
            row.put("MB/s", Math.round(contender.median(Run::bytesPerSecond) / 1e6));
            row.put("seconds", hundredths(contender.median(Run::seconds)));
            row.put("station CPU s", hundredths(contender.median(Run::cpuSeconds)));
            row.put("broker CPU s", hundredths(contender.median(Run::brokerCpuSeconds)));
            row.put("frames per record", Math.round(contender.median(Run::messagesPerRecord)));
            return row;
        });
    }

    private static double hundredths(double value) {
        return Math.round(value * 100) / 100.0;
    }
}
