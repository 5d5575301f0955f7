package dev.silkroute.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file system of its own in a file, which can be filled. The file is sparse: it takes only what is written. Mounted
 * in the mount namespace of this process. Thread-safe.
 */
final class Disk implements AutoCloseable {
    private static final String SIZE = "40G";

    private final Path folder;
    private final Path ballast;

    private Disk(Path folder) {
        this.folder = folder;
        ballast = folder.resolve("ballast");
    }

    /** Mounts the file system of a folder, which is created if it does not exist. */
    static Disk mount(Path folder) {
        if (!Namespaces.hasOwnMounts()) {
            throw new IllegalStateException("a disk that can be filled requires mounts of its own");
        }
        Path image = image(folder);
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!Files.exists(image)) {
            Commands.run("truncate", "-s", SIZE, image.toString());
            // Nothing is reserved for root, who runs Kafka
            Commands.run("mkfs.ext4", "-q", "-m", "0", image.toString());
        }
        Commands.run("mount", "-o", "loop", image.toString(), folder.toString());
        return new Disk(folder);
    }

    /** Mounts the file system that an earlier run has left. Returns null if there was none. */
    static @Nullable Disk remount(Path folder) {
        return Files.exists(image(folder)) ? mount(folder) : null;
    }

    private static Path image(Path folder) {
        return folder.resolveSibling(folder.getFileName() + ".img");
    }

    /** Leaves no space free. */
    void fill() {
        // Reserves what there is, and fails because it is less than that
        if (Commands.succeeds("fallocate", "-l", SIZE, ballast.toString())) {
            throw new IllegalStateException("a disk of " + SIZE + " has as much free");
        }
    }

    /** Removes what {@link #fill} has added. */
    void free() {
        try {
            Files.deleteIfExists(ballast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Commands.run("umount", "--lazy", folder.toString());
    }
}
