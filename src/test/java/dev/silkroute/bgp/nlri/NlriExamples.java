package dev.silkroute.bgp.nlri;

import dev.silkroute.net.Family;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * NLRI of every family and type with their texts, checked by hand and, for the types that it supports, against tshark.
 */
final class NlriExamples {
    private NlriExamples() {}

    record Example(int family, String hex, String text) {
        byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }

        @Override
        public String toString() {
            return Family.text(family) + " " + text;
        }
    }

    static List<Example> all() {
        try (InputStream in = Objects.requireNonNull(NlriExamples.class.getResourceAsStream("/nlri/examples.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .map(NlriExamples::example)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Example example(String line) {
        String[] parts = line.split(" ", 3);
        return new Example(family(parts[0]), parts[1], parts[2]);
    }

    static int family(String afiAndSafi) {
        int slash = afiAndSafi.indexOf('/');
        return Family.of(
                Integer.parseInt(afiAndSafi.substring(0, slash)), Integer.parseInt(afiAndSafi.substring(slash + 1)));
    }
}
