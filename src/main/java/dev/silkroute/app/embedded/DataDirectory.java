package dev.silkroute.app.embedded;

import dev.silkroute.app.config.ByteSize;
import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * The folder a station keeps everything in, held by one station at a time.
 *
 * <pre>
 * format              version of this layout
 * lock                locked while a station runs; its pid
 * ports.properties    ports of the embedded servers, kept from start to start
 * servers.properties  processes of the embedded servers
 * station.properties  where the running station answers
 * kafka/, postgres/   their storage
 * log/                their logs
 * </pre>
 */
public final class DataDirectory implements AutoCloseable {
    static final String FORMAT = "2";
    private static final String FORMAT_FILE = "format";
    private static final String LOCK_FILE = "lock";

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Makes or takes over the folder; every refusal is an {@link OperatorError} and leaves it as it was. */
    public static DataDirectory open(Path folder, long minimumFreeSpace) {
        var path = folder.toAbsolutePath().normalize();
        try {
            if (Files.exists(path)) {
                checkFormat(path);
            }
            checkSpace(path, minimumFreeSpace);
            Files.createDirectories(path);
            var directory = new DataDirectory(path, lock(path));
            directory.writeFormat();
            return directory;
        } catch (IOException e) {
            throw new OperatorError("cannot use the data directory " + path + ": " + describe(e), e);
        }
    }

    /** True where a running station holds the folder. */
    public static boolean isHeld(Path folder) {
        var file = folder.resolve(LOCK_FILE);
        if (!Files.exists(file)) {
            return false;
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.READ);
                var lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public Path path() {
        return path;
    }

    Path kafka() {
        return path.resolve("kafka");
    }

    Path postgres() {
        return path.resolve("postgres");
    }

    public Path log(String name) {
        return path.resolve("log").resolve(name);
    }

    /** Lets the folder go: the lock ends with the channel, or with the process. */
    @Override
    public void close() {
        try {
            lock.truncate(0);
            lock.close();
        } catch (IOException e) {
            throw new OperatorError("cannot let go of the data directory " + path + ": " + describe(e), e);
        }
    }

    private void writeFormat() throws IOException {
        try {
            Path file = path.resolve(FORMAT_FILE);
            if (!Files.exists(file) || Files.size(file) == 0) {
                Files.writeString(file, FORMAT + "\n");
            }
            Files.createDirectories(path.resolve("log"));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static void checkFormat(Path path) throws IOException {
        var file = path.resolve(FORMAT_FILE);
        if (Files.exists(file)) {
            var format = Files.readString(file).strip();
            // Empty: the machine went down while it was written
            if (!format.isEmpty() && !format.equals(FORMAT)) {
                throw new OperatorError("the data directory " + path + " has format " + format
                        + ", this version of Silkroute reads format " + FORMAT
                        + ": use the version that wrote it, or another --data-dir");
            }
        } else if (!isUnused(path)) {
            throw new OperatorError("the data directory " + path
                    + " holds files that are not Silkroute's: use an empty or new --data-dir");
        }
    }

    /** A start that was killed early may have left the lock file alone. */
    private static boolean isUnused(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.allMatch(entry -> entry.getFileName().toString().equals(LOCK_FILE));
        }
    }

    private static void checkSpace(Path path, long minimum) throws IOException {
        var existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        long free = Files.getFileStore(existing).getUsableSpace();
        if (free < minimum) {
            throw new OperatorError("only " + ByteSize.text(free) + " free for the data directory " + path
                    + ", at least " + ByteSize.text(minimum) + " needed (silkroute.min-free-space)");
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        var file = path.resolve(LOCK_FILE);
        var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // held by this very process: the same refusal
        }
        channel.close();
        throw new OperatorError("the data directory " + path + " is in use by another station, process "
                + Files.readString(file).strip());
    }

    private static String describe(IOException e) {
        var kind = e.getClass().getSimpleName();
        return switch (kind) {
            case "FileAlreadyExistsException" -> "it is not a folder";
            case "NotDirectoryException" -> "it is not a folder";
            default -> OperatorError.reason(e);
        };
    }
}
