package dev.silkroute.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clocks of the processes of a cluster, which libfaketime changes for one process at a time, because the clock
 * of the machine would concern everything on it. Monotonic clocks are those of the machine. Thread-safe.
 */
final class Clocks {
    private static final Path LIBRARIES = Path.of("/usr/lib");
    private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

    private final Path folder;
    private final Path library;

    private Clocks(Path folder, Path library) {
        this.folder = folder;
        this.library = library;
    }

    /** Returns whether libfaketime is installed. */
    static boolean canStep() {
        return library().isPresent();
    }

    /** @param folder for the offset of each clock */
    static Clocks open(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Clocks(
                folder, library().orElseThrow(() -> new IllegalStateException("clock steps require libfaketime")));
    }

    /** Debian has it in the folder of the machine's architecture. */
    private static Optional<Path> library() {
        try (Stream<Path> folders = Files.list(LIBRARIES)) {
            return folders.map(folder -> folder.resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the words before a command that let its process have a clock of this name, which is right at first. */
    List<String> prefix(String process) {
        set(process, Duration.ZERO);
        return List.of(
                "env",
                "LD_PRELOAD=" + library,
                "FAKETIME_TIMESTAMP_FILE=" + file(process),
                "FAKETIME_CACHE_DURATION=1", // seconds until it reads the file again
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "FAKETIME_FORCE_MONOTONIC_FIX=0", // with it, timed waits on the monotonic clock return at once
                "NO_FAKE_STAT=1");
    }

    /** Sets the clock of a process to the right time plus an offset, within a second. */
    void set(String process, Duration offset) {
        Path next = folder.resolve(process + ".next");
        try {
            Files.writeString(next, "%+d".formatted(offset.toSeconds()));
            Files.move(next, file(process), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String process) {
        return folder.resolve(process).toAbsolutePath();
    }
}
