package dev.silkroute.perf.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Sessions that are decoded one after the other, each with a state of its own.
 *
 * @param number the number sent to contenders, from 0
 */
record Stream(int number, String name, List<Path> sessions) {

    String argument() {
        return sessions.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    long bytes() throws IOException {
        long bytes = 0;
        for (Path session : sessions) {
            bytes += Files.size(session);
        }
        return bytes;
    }
}
