package dev.silkroute.app.rpki;

import dev.silkroute.rpki.Slurm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A file of local exceptions. While it is missing or invalid, the exceptions of before stay in use. The caller
 * synchronizes.
 */
final class ExceptionsFile {
    private static final Logger LOGGER = Logger.getLogger(ExceptionsFile.class);

    private final Path file;
    private @Nullable FileTime loaded;
    private @Nullable Slurm exceptions;
    private @Nullable String failure;

    ExceptionsFile(Path file) {
        this.file = file;
    }

    /** Returns the exceptions; null if the file has never been valid. */
    @Nullable
    Slurm exceptions() {
        return exceptions;
    }

    /**
     * Reads the file if it has another modification time than before. A failure is logged once for each reason.
     *
     * @return whether the exceptions have been replaced
     */
    boolean reload() {
        try {
            FileTime written = Files.getLastModifiedTime(file);
            if (written.equals(loaded)) {
                return false;
            }
            exceptions = Slurm.read(file);
            loaded = written;
            failure = null;
            LOGGER.infof("Loaded local exceptions to VRPs from %s", file);
            return true;
        } catch (IOException e) {
            String reason =
                    e instanceof NoSuchFileException ? "there is no file " + file : String.valueOf(e.getMessage());
            if (!reason.equals(failure)) {
                LOGGER.warnf(
                        "Local exceptions to VRPs are not updated, %s: %s",
                        exceptions == null ? "and no VRPs are used without them" : "those of before stay in use",
                        reason);
            }
            failure = reason;
            return false;
        }
    }
}
