package dev.silkroute.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file, which is read again when the file, or another one that it includes, has changed. While a file
 * is missing or invalid, what was read before stays in use. {@link #content} is thread-safe; {@link #reload} is for one
 * thread.
 */
public final class ReloadedFile<T> {
    private static final Logger LOGGER = Logger.getLogger(ReloadedFile.class);

    /** Reads a file. */
    @FunctionalInterface
    public interface Reader<T> {
        /**
         * Reads a file.
         *
         * @param included called with each other file that the content depends on, before it is read
         * @throws IOException with a message for the operator, which names the file
         */
        T read(Path file, Consumer<Path> included) throws IOException;
    }

    private final String subject;
    private final Path file;
    private final Reader<T> reader;
    private final ToIntFunction<T> size;
    /** The modification times of the files of the content; null for an included one that did not exist. */
    private Map<Path, @Nullable FileTime> loaded = Map.of();

    private @Nullable String failure;
    private volatile T content;
    private volatile long writtenMillis;

    /**
     * @param subject what the file contains, for the log
     * @param empty in use until the file has been read
     * @param size counts the entries
     */
    public ReloadedFile(String subject, Path file, Reader<T> reader, T empty, ToIntFunction<T> size) {
        this.subject = subject;
        this.file = file;
        this.reader = reader;
        this.size = size;
        content = empty;
    }

    /** Returns what was read last; what {@code empty} has been until a file was read. */
    public T content() {
        return content;
    }

    /** Returns the number of entries in use. */
    public int size() {
        return size.applyAsInt(content);
    }

    /** Returns when the newest file in use was written, in milliseconds since 1970; 0 before one was read. */
    public long writtenMillis() {
        return writtenMillis;
    }

    /**
     * Reads the file if it, or a file that it includes, is new or has another modification time. A failure is logged
     * once for each reason.
     */
    public void reload() {
        try {
            FileTime time = Files.getLastModifiedTime(file);
            if (time.equals(loaded.get(file)) && isCurrent()) {
                return;
            }
            Map<Path, @Nullable FileTime> times = new HashMap<>();
            times.put(file, time);
            content = reader.read(file, included -> times.put(included, time(included)));
            loaded = times;
            writtenMillis = times.values().stream()
                    .filter(Objects::nonNull)
                    .mapToLong(FileTime::toMillis)
                    .max()
                    .orElse(0);
            failure = null;
            LOGGER.infof("Loaded %d %s from %s", size(), subject, file);
        } catch (IOException e) {
            report(e instanceof NoSuchFileException ? "there is no file " + file : String.valueOf(e.getMessage()));
        }
    }

    private boolean isCurrent() {
        return loaded.entrySet().stream().allMatch(read -> Objects.equals(read.getValue(), time(read.getKey())));
    }

    /** Returns null if there is no such file; who reads it reports that. */
    private static @Nullable FileTime time(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }

    private void report(String reason) {
        if (!reason.equals(failure)) {
            LOGGER.warnf("The %s are not updated, %d stay in use: %s", subject, size(), reason);
        }
        failure = reason;
    }
}
