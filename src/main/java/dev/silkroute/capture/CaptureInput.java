package dev.silkroute.capture;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** A capture's bytes from start to end, gzip taken off, with the offset at hand and every failure a CaptureException. */
final class CaptureInput implements Closeable {
    private static final int BUFFER = 64 * 1024;

    private final Path file;
    private final InputStream in;
    private long position;
    private @Nullable CaptureException failure;

    private CaptureInput(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    static CaptureInput open(Path file) throws CaptureException {
        if (Files.isDirectory(file)) {
            throw new CaptureException(file, 0, "is a directory, not a capture");
        }
        InputStream plain;
        try {
            plain = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        } catch (NoSuchFileException e) {
            throw new CaptureException(file, 0, "no such file");
        } catch (AccessDeniedException e) {
            throw new CaptureException(file, 0, "may not be read");
        } catch (IOException e) {
            throw new CaptureException(file, 0, String.valueOf(e.getMessage()));
        }
        try {
            return new CaptureInput(file, isGzip(plain) ? inflated(plain) : plain);
        } catch (IOException e) {
            closeQuietly(plain);
            throw new CaptureException(file, 0, "cannot be read: " + e.getMessage());
        }
    }

    private static boolean isGzip(InputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip;
    }

    private static InputStream inflated(InputStream in) throws IOException {
        return new BufferedInputStream(new GZIPInputStream(in, BUFFER), BUFFER);
    }

    Path file() {
        return file;
    }

    long position() {
        return position;
    }

    CaptureException error(String reason) {
        return error(position, reason);
    }

    CaptureException error(long offset, String reason) {
        return new CaptureException(file, offset, reason);
    }

    /** The next bytes without taking them: at most {@code length}, fewer where the capture is shorter. */
    byte[] peek(int length) throws CaptureException {
        try {
            in.mark(length);
            byte[] bytes = in.readNBytes(length);
            in.reset();
            return bytes;
        } catch (IOException e) {
            throw failure(e);
        }
    }

    /**
     * Reads until {@code length} bytes are there or the capture ends; returns how many. Where reading fails midway, the
     * bytes before that place are returned first, and the next call fails.
     */
    int read(byte[] into, int from, int length) throws CaptureException {
        if (failure != null) {
            throw failure;
        }
        int read = 0;
        try {
            while (read < length) {
                int n = in.read(into, from + read, length - read);
                if (n < 0) {
                    break;
                }
                read += n;
                position += n;
            }
        } catch (IOException e) {
            failure = failure(e);
            if (read == 0) {
                throw failure;
            }
        }
        return read;
    }

    /** What to say of a capture that ended where it must not: the reason given, or what made reading fail there. */
    CaptureException endedEarly(long offset, String reason) {
        return failure != null ? failure : error(offset, reason);
    }

    private CaptureException failure(IOException e) {
        return switch (e) {
            case CaptureException known -> known;
            case EOFException _ -> error("truncated: the gzip data ends too early");
            case ZipException z -> error("damaged gzip data: " + z.getMessage());
            default -> error("cannot be read: " + e.getMessage());
        };
    }

    @Override
    public void close() {
        closeQuietly(in);
    }

    private static void closeQuietly(InputStream in) {
        try {
            in.close();
        } catch (IOException _) {
            // Only read from: nothing can be lost.
        }
    }
}
