package dev.silkroute.app.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import org.jboss.logging.Logger;

/** Creates files (0600) and directories (0700) that no other user can access, whatever the umask is. */
final class OwnerOnly {
    private static final Logger LOGGER = Logger.getLogger(OwnerOnly.class);
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> NEW_DIRECTORY =
            PosixFilePermissions.asFileAttribute(DIRECTORY);
    private static final FileAttribute<Set<PosixFilePermission>> NEW_FILE = PosixFilePermissions.asFileAttribute(FILE);

    private static final int SECRET_BYTES = 24;

    private OwnerOnly() {}

    /** Creates a directory, with its parents, if it does not exist. */
    static Path createDirectories(Path directory) throws IOException {
        return Files.createDirectories(directory, NEW_DIRECTORY);
    }

    /** Opens a file for reading and writing, which is created if it does not exist. */
    static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE), NEW_FILE);
    }

    /** Writes a file, which replaces an existing one. */
    static Path write(Path file, String text) throws IOException {
        return move(create(file, text), file);
    }

    /**
     * Writes a file, which replaces an existing one, and gives it to the owner of its directory: the station may run as
     * root and the server that reads the file as another user.
     */
    static Path writeForOwnerOfDirectory(Path file, String text) throws IOException {
        var temporary = create(file, text);
        giveToOwnerOfDirectory(temporary);
        return move(temporary, file);
    }

    private static Path create(Path file, String text) throws IOException {
        var temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, NEW_FILE);
        return Files.writeString(temporary, text, StandardOpenOption.WRITE);
    }

    private static Path move(Path temporary, Path file) throws IOException {
        return Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns a random string of 48 hexadecimal digits. */
    static String newSecret() {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Changes the owner of a file to that of its directory. */
    static void giveToOwnerOfDirectory(Path file) throws IOException {
        var owner = Files.getOwner(file.toAbsolutePath().getParent());
        if (!Files.getOwner(file).equals(owner)) {
            Files.setOwner(file, owner);
        }
    }

    /** Returns whether the group or other users have any access to a file or directory. */
    static boolean isShared(Path path) throws IOException {
        var permissions = Files.getPosixFilePermissions(path);
        return !without(permissions).equals(permissions);
    }

    /**
     * Removes the access of group and others to a directory and its content, except symbolic links and what belongs to
     * another user.
     */
    static void restrict(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entry, BasicFileAttributes attributes) throws IOException {
                return visitFile(entry, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path entry, BasicFileAttributes attributes) throws IOException {
                if (!attributes.isSymbolicLink() && isShared(entry)) {
                    removeAccess(entry);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path entry, IOException reason) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void removeAccess(Path entry) {
        try {
            Files.setPosixFilePermissions(entry, without(Files.getPosixFilePermissions(entry)));
        } catch (IOException e) {
            LOGGER.debugf(e, "The permissions of %s cannot be changed", entry);
        }
    }

    private static Set<PosixFilePermission> without(Set<PosixFilePermission> permissions) {
        var restricted = EnumSet.noneOf(PosixFilePermission.class);
        restricted.addAll(permissions);
        restricted.removeIf(permission -> !permission.name().startsWith("OWNER"));
        return restricted;
    }

    /** Lets other users pass through a directory to those of its entries that they may access; they cannot list it. */
    static void allowPassage(Path directory) throws IOException {
        var permissions = EnumSet.copyOf(Files.getPosixFilePermissions(directory));
        if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
            Files.setPosixFilePermissions(directory, permissions);
        }
    }
}
