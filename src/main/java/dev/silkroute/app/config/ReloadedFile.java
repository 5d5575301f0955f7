package dev.silkroute.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.ToIntFunction;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file, which is read again when the file has changed. While the file is missing or invalid, what was
 * read before stays in use. {@link #content} is thread-safe; {@link #reload} is for one thread.
 */
public final class ReloadedFile<T> {
    private static final Logger LOGGER = Logger.getLogger(ReloadedFile.class);

    /** Reads a file. */
    @FunctionalInterface
    public interface Reader<T> {
        /** @throws IOException with a message for the operator, which names the file */
        T read(Path file) throws IOException;
    }

    private final String subject;
    private final Path file;
    private final Reader<T> reader;
    private final ToIntFunction<T> size;
    private @Nullable FileTime loaded;
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

    /** Returns when the file in use was written, in milliseconds since 1970; 0 before one was read. */
    public long writtenMillis() {
        return writtenMillis;
    }

    /** Reads the file if it is new or has another modification time. A failure is logged once for each reason. */
    public void reload() {
        try {
            var time = Files.getLastModifiedTime(file);
            if (time.equals(loaded)) {
                return;
            }
            content = reader.read(file);
            loaded = time;
            writtenMillis = time.toMillis();
            failure = null;
            LOGGER.infof("Loaded %d %s from %s", size(), subject, file);
        } catch (IOException e) {
            report(e instanceof NoSuchFileException ? "there is no file " + file : String.valueOf(e.getMessage()));
        }
    }

    private void report(String reason) {
        if (!reason.equals(failure)) {
            LOGGER.warnf("The %s are not updated, %d stay in use: %s", subject, size(), reason);
        }
        failure = reason;
    }
}
