package dev.silkroute.perf.rib;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The prefixes of the Internet at some time, IPv4 and IPv6: the test data of the Go module bart, where Go keeps its
 * modules.
 */
final class RealTable {
    /** @param high as in {@link Digest#prefix} */
    record Prefix(long high, long low, int length, boolean six) {}

    private RealTable() {}

    /** @param module folder of a Go module that requires bart */
    static List<Prefix> read(Path module) throws IOException, InterruptedException {
        go(module, "mod", "download"); // which a machine that has never built it needs
        String folder = go(module, "list", "-m", "-f", "{{.Dir}}", "github.com/gaissmai/bart");
        List<Prefix> prefixes = new ArrayList<>();
        Path file = Path.of(folder, "internal/tests/testdata/prefixes.txt.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    prefixes.add(parse(line.strip()));
                }
            }
        }
        return prefixes;
    }

    private static String go(Path module, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("go"));
        command.addAll(List.of(arguments));
        Process go = new ProcessBuilder(command)
                .directory(module.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(go.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (go.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed in " + module);
        }
        return answer;
    }

    private static Prefix parse(String text) throws IOException {
        int slash = text.indexOf('/');
        boolean six = text.indexOf(':') >= 0;
        byte[] address = InetAddress.getByName(text.substring(0, slash)).getAddress();
        ByteBuffer bytes = ByteBuffer.allocate(16).put(address);
        return new Prefix(bytes.getLong(0), bytes.getLong(8), Integer.parseInt(text.substring(slash + 1)), six);
    }
}
