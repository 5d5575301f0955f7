package dev.silkroute.bmp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The byte stream of one BMP session, and the contents of each message by decoders of other projects.
 *
 * @param truth rows by message number
 */
record Capture(String name, byte[] stream, Map<Integer, List<JsonNode>> truth) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** From the test resources. */
    static Capture of(String name) {
        return read(name, resource(name + ".bmp.gz"), resource(name + ".jsonl.gz"));
    }

    static Capture of(Path folder, String name) {
        try {
            return read(
                    name,
                    Files.newInputStream(folder.resolve(name + ".bmp.gz")),
                    Files.newInputStream(folder.resolve(name + ".jsonl.gz")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Offset of each whole message, and the end of the last. */
    List<Integer> boundaries() {
        List<Integer> boundaries = new ArrayList<>();
        int at = 0;
        boundaries.add(at);
        while (stream.length - at >= BmpMessages.COMMON_HEADER_LENGTH
                && stream[at] == BmpMessages.VERSION
                && BmpMessages.length(stream, at) <= stream.length - at) {
            at += BmpMessages.length(stream, at);
            boundaries.add(at);
        }
        return boundaries;
    }

    private static InputStream resource(String file) {
        return Objects.requireNonNull(Capture.class.getResourceAsStream("/captures/" + file), file);
    }

    private static Capture read(String name, InputStream stream, InputStream truth) {
        try (InputStream bytes = new GZIPInputStream(stream);
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(new GZIPInputStream(truth), StandardCharsets.UTF_8))) {
            Map<Integer, List<JsonNode>> rows = new TreeMap<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode row = JSON.readTree(line);
                rows.computeIfAbsent(row.get("n").asInt(), n -> new ArrayList<>())
                        .add(row);
            }
            return new Capture(name, bytes.readAllBytes(), rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
