package dev.silkroute.capture;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the decompressed bytes of a capture sequentially and keeps track of the offset. All failures are
 * {@link CaptureException}s. Not thread-safe.
 */
public final class CaptureInput implements Closeable {
    private static final int BUFFER = 64 * 1024;

    private final Path file;
    private final Compression compression;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int limit;
    private long position;
    private @Nullable CaptureException failure;

    private CaptureInput(Path file, Compression compression, InputStream in) {
        this.file = file;
        this.compression = compression;
        this.in = in;
    }

    /** @throws CaptureException if the file cannot be opened */
    public static CaptureInput open(Path file) throws CaptureException {
        if (Files.isDirectory(file)) {
            throw CaptureException.ofFile(file, "is a directory, not a capture");
        }
        PushbackInputStream plain;
        try {
            plain = new PushbackInputStream(
                    new BufferedInputStream(Files.newInputStream(file), BUFFER), Compression.MAGIC);
        } catch (NoSuchFileException e) {
            throw CaptureException.ofFile(file, "no such file");
        } catch (AccessDeniedException e) {
            throw CaptureException.ofFile(file, "may not be read");
        } catch (IOException e) {
            throw CaptureException.ofFile(file, String.valueOf(e.getMessage()));
        }
        Compression compression = Compression.NONE;
        try {
            compression = Compression.of(plain);
            return new CaptureInput(file, compression, compression.open(plain));
        } catch (IOException e) {
            closeQuietly(plain);
            throw failure(file, compression, 0, e);
        }
    }

    public Path file() {
        return file;
    }

    /** Returns the offset of the next byte. */
    public long position() {
        return position;
    }

    public CaptureException error(String reason) {
        return error(position, reason);
    }

    public CaptureException error(long offset, String reason) {
        return new CaptureException(file, offset, reason);
    }

    /** Returns the next bytes without consuming them: {@code length}, or fewer at the end of the capture. */
    byte[] peek(int length) throws CaptureException {
        while (limit - next < length && fill()) {
            // Repeats until enough bytes are buffered.
        }
        return Arrays.copyOfRange(buffer, next, Math.min(limit, next + length));
    }

    /**
     * Reads {@code length} bytes, or fewer at the end of the capture. Returns how many. If reading fails after some
     * bytes, those are returned and the next call throws.
     */
    public int read(byte[] into, int from, int length) throws CaptureException {
        int read = 0;
        while (read < length && (next < limit || fill())) {
            int taken = Math.min(length - read, limit - next);
            System.arraycopy(buffer, next, into, from + read, taken);
            next += taken;
            read += taken;
            position += taken;
        }
        if (read == 0 && failure != null) {
            throw failure;
        }
        return read;
    }

    /** Skips {@code length} bytes, or fewer at the end of the capture. Returns how many. */
    public long skip(long length) throws CaptureException {
        long skipped = 0;
        while (skipped < length && (next < limit || fill())) {
            int taken = (int) Math.min(length - skipped, limit - next);
            next += taken;
            skipped += taken;
            position += taken;
        }
        if (skipped == 0 && length > 0 && failure != null) {
            throw failure;
        }
        return skipped;
    }

    /**
     * Appends to the buffer with one read. A BufferedInputStream would lose the bytes that it read before a failure.
     */
    private boolean fill() {
        if (next == limit) {
            next = 0;
            limit = 0;
        }
        if (failure != null) {
            return false;
        }
        try {
            int read = in.read(buffer, limit, buffer.length - limit);
            limit += Math.max(0, read);
            return read > 0;
        } catch (IOException e) {
            failure = failure(e);
            return false;
        }
    }

    /** Returns the error for a premature end: the failure of the last read, if there was one, else the given reason. */
    public CaptureException endedEarly(long offset, String reason) {
        return failure != null ? failure : error(offset, reason);
    }

    private CaptureException failure(IOException e) {
        return failure(file, compression, position + limit - next, e);
    }

    private static CaptureException failure(Path file, Compression compression, long at, IOException e) {
        String reason = switch (e) {
            case EOFException early -> "truncated: the " + compression.text() + " data ends too early";
            case ZipException damage -> "damaged " + compression.text() + " data: " + damage.getMessage();
            default -> "cannot be read: " + e.getMessage();
        };
        return new CaptureException(file, at, reason);
    }

    @Override
    public void close() {
        closeQuietly(in);
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException ignored) {
            // The stream was only read.
        }
    }
}
