package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * A backup of a data directory: a compressed tar file, which {@code tar} can read too. Its first entry is the file
 * {@code format}. What describes a running station, and the logs, are not part of it.
 */
public final class DataArchive {
    private static final String FORMAT_FILE = "format";
    private static final Set<String> OMITTED = Set.of("lock", "station.properties", "servers.properties", "log");
    private static final Duration SERVERS_STOP_LIMIT = Duration.ofSeconds(15);

    /** The bits of a mode in a tar file that restrict a file to its owner, for files and for directories. */
    private static final int FILE_MODE = 0100600;

    private static final int DIRECTORY_MODE = 040700;
    /**
     * The content of an archive.
     *
     * @param files number of files
     * @param bytes their size before compression
     */
    public record Content(long files, long bytes) {}

    private DataArchive() {}

    /**
     * Writes the content of a data directory to a file, which appears only when it is complete. The directory is locked
     * meanwhile, so that no station can start on it.
     *
     * @throws OperatorError if a station runs on the directory, the file exists, or something cannot be read or written
     */
    public static Content write(Path directory, Path file) {
        if (!Files.isRegularFile(directory.resolve(FORMAT_FILE))) {
            throw new OperatorError(directory + " is not a data directory of a station");
        }
        if (Files.exists(file)) {
            throw new OperatorError(file + " exists already");
        }
        Path temporary = file.resolveSibling(file.getFileName() + ".incomplete");
        try (DataDirectory data = DataDirectory.open(directory, 0)) {
            new ServerProcesses(data).awaitExit(SERVERS_STOP_LIMIT);
            Files.deleteIfExists(temporary);
            Content content = write(data.path(), Channels.newOutputStream(OwnerOnly.open(temporary)));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            return content;
        } catch (IOException e) {
            delete(temporary);
            throw new OperatorError("cannot back up " + directory + " to " + file + ": " + OperatorError.reason(e), e);
        }
    }

    private static Content write(Path directory, OutputStream file) throws IOException {
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(new BufferedOutputStream(file)), "UTF-8")) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            var writer = new Writer(directory, tar);
            writer.add(directory.resolve(FORMAT_FILE));
            Files.walkFileTree(directory, writer);
            return new Content(writer.files, writer.bytes);
        }
    }

    /** Adds directories and files. All belong to the user who restores them; a start gives servers what they need. */
    private static final class Writer extends SimpleFileVisitor<Path> {
        private final Path root;
        private final TarArchiveOutputStream tar;
        private long files;
        private long bytes;

        Writer(Path root, TarArchiveOutputStream tar) {
            this.root = root;
            this.tar = tar;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (directory.equals(root)) {
                return FileVisitResult.CONTINUE;
            }
            if (isOmitted(directory)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            put(directory, root.relativize(directory) + "/", 0, DIRECTORY_MODE);
            tar.closeArchiveEntry();
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!isOmitted(file) && !file.equals(root.resolve(FORMAT_FILE))) {
                if (!attributes.isRegularFile()) {
                    throw new IOException(file + " is not a regular file");
                }
                add(file);
            }
            return FileVisitResult.CONTINUE;
        }

        void add(Path file) throws IOException {
            long size = Files.size(file);
            put(file, root.relativize(file).toString(), size, FILE_MODE);
            Files.copy(file, tar);
            tar.closeArchiveEntry();
            files++;
            bytes += size;
        }

        private boolean isOmitted(Path path) {
            return OMITTED.contains(root.relativize(path).toString());
        }

        private void put(Path path, String name, long size, int mode) throws IOException {
            var entry = new TarArchiveEntry(name);
            entry.setSize(size);
            entry.setMode(mode);
            entry.setModTime(Files.getLastModifiedTime(path));
            tar.putArchiveEntry(entry);
        }
    }

    /**
     * Creates a data directory from a backup. It appears only when it is complete.
     *
     * @param directory must not exist, or be empty
     * @throws OperatorError if the file is damaged or of another version, or something cannot be read or written
     */
    public static Content restore(Path file, Path directory) {
        Path target = directory.toAbsolutePath().normalize();
        Path temporary = target.resolveSibling(target.getFileName() + ".incomplete");
        try {
            if (Files.exists(target) && !(Files.isDirectory(target) && Directories.isEmpty(target))) {
                throw new OperatorError("the data directory " + target + " is not empty: choose a new one");
            }
            Directories.delete(temporary);
            OwnerOnly.createDirectories(temporary);
            Content content;
            try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
                    var tar = new TarArchiveInputStream(new GZIPInputStream(in), "UTF-8")) {
                content = extract(file, tar, temporary);
            }
            Files.deleteIfExists(target);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            return content;
        } catch (IOException e) {
            delete(temporary);
            throw new OperatorError("cannot restore " + target + " from " + file + ": " + OperatorError.reason(e), e);
        } catch (OperatorError e) {
            delete(temporary);
            throw e;
        }
    }

    private static Content extract(Path file, TarArchiveInputStream tar, Path directory) throws IOException {
        long files = 0;
        long bytes = 0;
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            Path path = directory.resolve(entry.getName()).normalize();
            if (!path.startsWith(directory) || path.equals(directory) || !(entry.isFile() || entry.isDirectory())) {
                throw new IOException("it contains '" + entry.getName() + "', which no backup contains");
            }
            if (files == 0 && !entry.getName().equals(FORMAT_FILE)) {
                throw new IOException("it is not a backup of a station");
            }
            if (entry.isDirectory()) {
                OwnerOnly.createDirectories(path);
            } else {
                try (OutputStream out = Channels.newOutputStream(OwnerOnly.open(path))) {
                    bytes += tar.transferTo(out);
                }
                files++;
                if (files == 1) {
                    requireFormat(file, Files.readString(path).strip());
                }
            }
        }
        return new Content(files, bytes);
    }

    private static void requireFormat(Path file, String format) {
        if (!format.equals(DataDirectory.FORMAT)) {
            throw new OperatorError(file + " has format " + format + ", but this version of Silkroute requires format "
                    + DataDirectory.FORMAT + ": restore it with the version that wrote it");
        }
    }

    private static void delete(Path path) {
        try {
            if (Files.isDirectory(path)) {
                Directories.delete(path);
            } else {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new OperatorError("cannot delete " + path + ": " + OperatorError.reason(e), e);
        }
    }
}
