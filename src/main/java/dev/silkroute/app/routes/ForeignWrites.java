package dev.silkroute.app.routes;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds route files and directories that another user of the machine can change. A route is code: whoever can write it
 * acts with the permissions of the station.
 */
final class ForeignWrites {
    private static final String SUPERUSER = "root";

    private ForeignWrites() {}

    /**
     * Returns why a file or directory is not accepted, null if only the station's user and root can change it. A file
     * system that is mounted read-only, such as a config map, is accepted with any permissions.
     */
    static @Nullable String reason(Path path) throws IOException {
        var reason = reasonByMode(path);
        return reason == null || isReadOnly(path) ? null : reason;
    }

    private static @Nullable String reasonByMode(Path path) throws IOException {
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            return "group or other users can write to it: use chmod go-w";
        }
        var owner = Files.getOwner(path).getName();
        if (!owner.equals(SUPERUSER)
                && !owner.equals(Files.getOwner(Path.of("/proc/self")).getName())) {
            return "it belongs to " + owner + ", and so another user can write to it";
        }
        return null;
    }

    private static boolean isReadOnly(Path path) {
        try {
            return Files.getFileStore(path).isReadOnly();
        } catch (IOException e) {
            return false; // the mount cannot be determined
        }
    }

    /** @throws OperatorError if another user can change the directory */
    static void check(Path directory) throws IOException {
        var reason = reason(directory);
        if (reason != null) {
            throw new OperatorError("the routes directory " + directory + " is rejected: " + reason);
        }
    }
}
