package dev.silkroute.perf.live;

import dev.silkroute.perf.decode.Tools;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code bgpkit-parser}'s reader of RIS Live (Rust), see {@code perf/contenders/rislive}. */
final class RisLiveReader {
    private final Process process;
    private final BufferedWriter input;

    /**
     * The counts of what it has read.
     *
     * @param byFields announced and withdrawn prefixes of the fields of the messages
     * @param byRaw the same of the UPDATEs in {@code raw}
     * @param rejected messages that it could not read
     */
    record Counts(long messages, long byFields, long byRaw, long rejected) {}

    /** @throws IOException if it cannot be built */
    RisLiveReader(Path home, Path log) throws IOException, InterruptedException {
        Path target = Files.createDirectories(home.resolve("target/contenders"));
        Optional<String> failure = Tools.run(
                home.resolve("contenders/rislive"),
                target.resolve("build-rislive.log"),
                List.of("cargo", "build", "--release", "--target-dir", target.toString()));
        if (failure.isPresent()) {
            throw new IOException(failure.get());
        }
        process = new ProcessBuilder(target.resolve("release/read-rislive").toString())
                .redirectError(log.toFile())
                .start();
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    void read(String message) throws IOException {
        input.write(message);
        input.write('\n');
    }

    /** Ends its input. */
    Counts end() throws IOException, InterruptedException {
        input.close();
        String[] words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .split(" ", -1);
        if (process.waitFor() != 0) {
            throw new IOException("the reader of RIS Live ended with " + process.exitValue());
        }
        return new Counts(
                Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
}
