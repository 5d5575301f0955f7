package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the log of a server that did not start, and rotates logs. */
final class ServerLog {
    private static final int TAIL_BYTES = 16 << 10;
    private static final long MAX_LOG_BYTES = 10L << 20;
    /** The time and process id at the beginning of each line of PostgreSQL's log. */
    private static final Pattern LINE_PREFIX = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d \\S+ \\S+ \\[\\d+] ");

    private static final List<String> ERROR_MARKS = List.of("FATAL", "ERROR", "Exception", "error:", "PANIC");

    private ServerLog() {}

    /** Returns the last line that contains an error, or the last line if none does. */
    static String lastError(Path log) {
        var lines = tail(log)
                .lines()
                .filter(line -> !line.isBlank())
                .map(line -> LINE_PREFIX.matcher(line).replaceFirst(""))
                .toList();
        return lines.reversed().stream()
                .filter(line ->
                        !line.startsWith("\tat ") && ERROR_MARKS.stream().anyMatch(line::contains))
                .findFirst()
                .orElseGet(() -> lines.isEmpty() ? "its log is empty" : lines.getLast());
    }

    /** Creates a log that only the owner can read; one that has grown large is renamed, replacing the one before. */
    static void prepare(Path log) throws IOException {
        if (Files.exists(log) && Files.size(log) > MAX_LOG_BYTES) {
            Files.move(
                    log,
                    log.resolveSibling(log.getFileName() + ".1"),
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        OwnerOnly.open(log).close();
    }

    private static String tail(Path log) {
        try (var channel = Files.newByteChannel(log, StandardOpenOption.READ)) {
            channel.position(Math.max(0, channel.size() - TAIL_BYTES));
            var bytes = java.nio.ByteBuffer.allocate(TAIL_BYTES);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads until the end of the file or of the buffer.
            }
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
