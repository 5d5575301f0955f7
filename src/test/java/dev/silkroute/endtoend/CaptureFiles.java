package dev.silkroute.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Sessions of real routers among the test resources: their bytes, the content of each message, and the state at the
 * mark.
 */
final class CaptureFiles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private CaptureFiles() {}

    static byte[] stream(String name) {
        try (InputStream in = new GZIPInputStream(resource(name + ".bmp.gz"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static int mark(String name) {
        try (InputStream in = resource(name + ".mark")) {
            return Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns every route of the session's messages in order, {@code NAME.jsonl}. */
    static List<JsonNode> messages(String name) {
        return lines(name + ".jsonl.gz");
    }

    /** Returns the routes that a station holds at the mark, {@code NAME.state.jsonl}. */
    static List<JsonNode> state(String name) {
        return lines(name + ".state.jsonl.gz");
    }

    private static List<JsonNode> lines(String file) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(resource(file)), StandardCharsets.UTF_8))) {
            return reader.lines().map(CaptureFiles::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InputStream resource(String name) {
        InputStream in = CaptureFiles.class.getResourceAsStream("/captures/" + name);
        if (in == null) {
            throw new IllegalArgumentException("no capture " + name);
        }
        return in;
    }
}
