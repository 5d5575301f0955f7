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
import org.jboss.logging.Logger;

/**
 * The directory that contains all data of a station, locked by one station at a time.
 *
 * <pre>
 * format              version of this layout
 * lock                locked while a station runs; contains its process id
 * ports.properties    ports of the embedded servers, reused by later starts
 * servers.properties  processes of the embedded servers
 * station.properties  addresses of the running station
 * client/             secrets of clients: password and certificate for the embedded PostgreSQL, token for HTTP
 * kafka/, postgres/   storage of the embedded servers
 * log/                their logs
 * </pre>
 *
 * <p>Only the owner can access it and its content. A directory of an earlier version that others could read is
 * restricted when it is opened.
 */
public final class DataDirectory implements AutoCloseable {
    static final String FORMAT = "4";
    private static final Logger LOGGER = Logger.getLogger(DataDirectory.class);
    private static final String FORMAT_FILE = "format";
    private static final String LOCK_FILE = "lock";

    private final Path path;
    private final FileChannel lock;

    private DataDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /**
     * Opens a directory, which is created if it does not exist, and locks it.
     *
     * @throws OperatorError if it cannot be used; it is unchanged then
     */
    public static DataDirectory open(Path location, long minimumFreeSpace) {
        var path = location.toAbsolutePath().normalize();
        try {
            check(path, minimumFreeSpace);
            OwnerOnly.createDirectories(path);
            var directory = new DataDirectory(path, lock(path));
            directory.restrict();
            directory.writeFormat();
            return directory;
        } catch (IOException e) {
            throw new OperatorError("cannot use the data directory " + path + ": " + describe(e), e);
        }
    }

    /**
     * Checks that a directory can be opened, as far as that is visible without changing it.
     *
     * @throws OperatorError if it belongs to another program or version, or has too little space
     */
    public static void check(Path path, long minimumFreeSpace) throws IOException {
        if (Files.exists(path)) {
            checkFormat(path);
        }
        long free = freeSpace(path);
        if (free < minimumFreeSpace) {
            throw new OperatorError("only " + ByteSize.text(free) + " free for the data directory " + path
                    + ", at least " + ByteSize.text(minimumFreeSpace) + " required (silkroute.min-free-space)");
        }
    }

    /** Returns the free bytes where the directory is or will be created. */
    public static long freeSpace(Path path) throws IOException {
        var existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return Files.getFileStore(existing).getUsableSpace();
    }

    /** Returns whether a running station has locked the directory. */
    public static boolean isHeld(Path directory) {
        var file = directory.resolve(LOCK_FILE);
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

    PostgresAccess postgresAccess() {
        return new PostgresAccess(path.resolve("client"));
    }

    /** Returns a file with a random secret, which is created once. */
    public Path secret(String name) {
        var file = path.resolve("client").resolve(name);
        try {
            if (!Files.exists(file)) {
                OwnerOnly.createDirectories(path.resolve("client"));
                OwnerOnly.write(file, OwnerOnly.newSecret() + "\n");
            }
            return file;
        } catch (IOException e) {
            throw new OperatorError("cannot write " + file + ": " + OperatorError.reason(e), e);
        }
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

    /** Releases the lock, which ends with the channel or with the process. */
    @Override
    public void close() {
        try {
            lock.truncate(0);
            lock.close();
        } catch (IOException e) {
            throw new OperatorError("cannot unlock the data directory " + path + ": " + describe(e), e);
        }
    }

    /**
     * Removes the access of other users. A directory that belongs to someone else, such as a mounted volume, keeps its
     * own permissions, and so its content is restricted at each start.
     */
    private void restrict() throws IOException {
        try {
            if (OwnerOnly.isShared(path)) {
                OwnerOnly.restrict(path);
                if (OwnerOnly.isShared(path)) {
                    LOGGER.warnf(
                            "Other users can enter the data directory %s, which belongs to %s; only its content is"
                                    + " restricted to this user",
                            path, Files.getOwner(path));
                }
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private void writeFormat() throws IOException {
        try {
            Path file = path.resolve(FORMAT_FILE);
            if (!Files.exists(file) || Files.size(file) == 0) {
                OwnerOnly.write(file, FORMAT + "\n");
            }
            OwnerOnly.createDirectories(path.resolve("log"));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static void checkFormat(Path path) throws IOException {
        var file = path.resolve(FORMAT_FILE);
        if (Files.exists(file)) {
            var format = Files.readString(file).strip();
            // An empty file remains if the machine stops while it is written.
            if (!format.isEmpty() && !format.equals(FORMAT)) {
                throw new OperatorError("the data directory " + path + " has format " + format
                        + ", but this version of Silkroute requires format " + FORMAT
                        + ": use the version that wrote it, or another --data-dir");
            }
        } else if (!isUnused(path)) {
            throw new OperatorError(
                    "the data directory " + path + " contains files of other programs: use an empty or new --data-dir");
        }
    }

    /** Returns whether the directory is empty but for a lock file, which a start that was killed early leaves. */
    private static boolean isUnused(Path path) throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.allMatch(entry -> entry.getFileName().toString().equals(LOCK_FILE));
        }
    }

    private static FileChannel lock(Path path) throws IOException {
        var file = path.resolve(LOCK_FILE);
        var channel = OwnerOnly.open(file);
        try {
            if (channel.tryLock() != null) {
                channel.truncate(0);
                channel.write(
                        ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Locked by this very process: reported below as well.
        }
        channel.close();
        throw new OperatorError("the data directory " + path + " is in use by another station, process "
                + Files.readString(file).strip());
    }

    private static String describe(IOException e) {
        var kind = e.getClass().getSimpleName();
        return switch (kind) {
            case "FileAlreadyExistsException" -> "it is not a directory";
            case "NotDirectoryException" -> "it is not a directory";
            default -> OperatorError.reason(e);
        };
    }
}
