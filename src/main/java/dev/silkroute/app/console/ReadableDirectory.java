package dev.silkroute.app.console;

import dev.silkroute.app.config.UsageError;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Validates options that name a directory to read from. */
public final class ReadableDirectory {
    private ReadableDirectory() {}

    /**
     * Returns the directory unchanged, or null if the option was not given.
     *
     * @param option the option's name, for the error message
     * @throws UsageError if it is not a readable directory
     */
    public static @Nullable Path require(String option, @Nullable Path directory) {
        if (directory != null && !(Files.isDirectory(directory) && Files.isReadable(directory))) {
            throw new UsageError(option + " " + directory + " is not a readable directory");
        }
        return directory;
    }
}
