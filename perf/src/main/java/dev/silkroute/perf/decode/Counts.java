package dev.silkroute.perf.decode;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The result of one pass over a stream, with a digest of every field: equal for two decoders with the same results.
 *
 * @param errors messages given up
 * @param digest see {@link Fields}
 */
record Counts(long messages, long announced, long withdrawn, long attributes, long errors, long digest) {

    /** Reads {@code messages=1 announced=2 …}, as contenders write it. */
    static Counts parse(String line) {
        Map<String, Long> values = numbers(line);
        return new Counts(
                values.getOrDefault("messages", -1L),
                values.getOrDefault("announced", -1L),
                values.getOrDefault("withdrawn", -1L),
                values.getOrDefault("attributes", -1L),
                values.getOrDefault("errors", -1L),
                values.getOrDefault("digest", -1L));
    }

    String text() {
        return "messages=%d announced=%d withdrawn=%d attributes=%d errors=%d digest=%s"
                .formatted(messages, announced, withdrawn, attributes, errors, Long.toUnsignedString(digest));
    }

    /** Unsigned numbers by name. */
    static Map<String, Long> numbers(String line) {
        return Arrays.stream(line.split(" "))
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> Long.parseUnsignedLong(pair[1])));
    }
}
