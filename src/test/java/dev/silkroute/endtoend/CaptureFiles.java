package dev.silkroute.endtoend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.net.BigEndian;
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
public final class CaptureFiles {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The information TLV of an Initiation message that contains the router name. */
    private static final int SYS_NAME = 2;

    private CaptureFiles() {}

    public static byte[] stream(String name) {
        try (InputStream in = new GZIPInputStream(resource(name + ".bmp.gz"))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the bytes of a session with another router name of the same length. */
    public static byte[] stream(String name, String router) {
        byte[] stream = stream(name);
        int at = BmpMessages.COMMON_HEADER_LENGTH;
        while (BigEndian.u16(stream, at) != SYS_NAME) {
            at += 4 + BigEndian.u16(stream, at + 2);
        }
        byte[] bytes = router.getBytes(StandardCharsets.UTF_8);
        if (bytes.length != BigEndian.u16(stream, at + 2)) {
            throw new IllegalArgumentException(router + " has another length than the router name of " + name);
        }
        System.arraycopy(bytes, 0, stream, at + 4, bytes.length);
        return stream;
    }

    public static int mark(String name) {
        try (InputStream in = resource(name + ".mark")) {
            return Integer.parseInt(new String(in.readAllBytes(), StandardCharsets.US_ASCII).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns every route of the session's messages in order, {@code NAME.jsonl}. */
    public static List<JsonNode> messages(String name) {
        return lines(name + ".jsonl.gz");
    }

    /** Returns the routes that a station holds at the mark, {@code NAME.state.jsonl}. */
    public static List<JsonNode> state(String name) {
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

    public static JsonNode parse(String line) {
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
