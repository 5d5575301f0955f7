package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

/** The last words of a server that did not start. */
final class LogTail {
    private static final int BYTES = 16 << 10;
    private static final long KEPT_BYTES = 10L << 20;
    /** Time and process, with which each line of PostgreSQL's log begins. */
    private static final Pattern STAMP = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d \\S+ \\S+ \\[\\d+] ");

    private static final List<String> TELLING = List.of("FATAL", "ERROR", "Exception", "error:", "PANIC");

    private LogTail() {}

    /** The last line that tells of an error, else the last line. */
    static String last(Path log) {
        var lines = read(log)
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> STAMP.matcher(line).replaceFirst(""))
                .toList();
        return lines.reversed().stream()
                .filter(line -> !line.startsWith("\tat ") && TELLING.stream().anyMatch(line::contains))
                .findFirst()
                .orElseGet(() -> lines.isEmpty() ? "it said nothing" : lines.getLast());
    }

    /** Puts a log that has grown large aside, over the one put aside before. */
    static void rotate(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > KEPT_BYTES) {
            Files.move(
                    log,
                    log.resolveSibling(log.getFileName() + ".1"),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static String read(Path log) {
        try (var channel = Files.newByteChannel(log, StandardOpenOption.READ)) {
            channel.position(Math.max(0, channel.size() - BYTES));
            var bytes = java.nio.ByteBuffer.allocate(BYTES);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // until the end of the file or the buffer
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
