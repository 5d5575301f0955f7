package dev.silkroute.app.rpki;

import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Slurm;
import dev.silkroute.rpki.VrpFile;
import dev.silkroute.rpki.VrpTable;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The table made of a VRP file and, if there is one, a file of local exceptions. While a file is missing or invalid,
 * the table of the files before stays in use. {@link #table} is thread-safe; {@link #reload} is for one thread.
 */
final class VrpFiles implements VrpSource {
    private static final Logger LOGGER = Logger.getLogger(VrpFiles.class);

    private final Path vrps;
    private final Optional<Path> exceptions;
    private List<FileTime> loaded = List.of();
    private @Nullable String failure;
    private volatile VrpTable table = VrpTable.EMPTY;
    private volatile AspaTable aspas = AspaTable.EMPTY;
    private volatile int rejectedAspas;
    private volatile long loadedAtMillis;

    VrpFiles(Path vrps, Optional<Path> exceptions) {
        this.vrps = vrps;
        this.exceptions = exceptions;
    }

    @Override
    public VrpTable table() {
        return table;
    }

    @Override
    public AspaTable aspas() {
        return aspas;
    }

    @Override
    public int rejectedAspas() {
        return rejectedAspas;
    }

    /** Returns when the VRP file in use was written. */
    @Override
    public long updatedAtMillis() {
        return loadedAtMillis;
    }

    @Override
    public void start(MeterRegistry meters) {
        reload();
    }

    /**
     * Reads the files if one of them is new or has another modification time. A failure is logged once for each reason.
     */
    @Override
    public void reload() {
        try {
            List<FileTime> times = times();
            if (times.equals(loaded)) {
                return;
            }
            long begun = System.nanoTime();
            VrpFile.Content read = VrpFile.read(vrps);
            VrpTable next =
                    exceptions.isPresent() ? Slurm.read(exceptions.get()).apply(read.vrps()) : read.vrps();
            table = next;
            aspas = AspaTable.of(read.aspas());
            rejectedAspas = read.rejectedAspas();
            loaded = times;
            loadedAtMillis = times.getFirst().toMillis();
            failure = null;
            LOGGER.infof(
                    "Loaded %d VRPs and %d ASPAs from %s in %.1f s",
                    next.size(), aspas.size(), vrps, (System.nanoTime() - begun) / 1e9);
            if (read.rejectedAspas() > 0) {
                LOGGER.warnf(
                        "%d entries of \"aspas\" in %s are not valid ASPAs and are not used: a customer and 1 to %d"
                                + " providers are required",
                        read.rejectedAspas(), vrps, Aspa.MAX_PROVIDERS);
            }
        } catch (IOException e) {
            report(
                    e instanceof NoSuchFileException
                            ? "there is no file " + e.getMessage()
                            : String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        // Nothing is open between two reloads.
    }

    private List<FileTime> times() throws IOException {
        FileTime written = Files.getLastModifiedTime(vrps);
        return exceptions.isPresent()
                ? List.of(written, Files.getLastModifiedTime(exceptions.get()))
                : List.of(written);
    }

    private void report(String reason) {
        if (!reason.equals(failure)) {
            LOGGER.warnf("The VRPs are not updated, %d stay in use: %s", table.size(), reason);
        }
        failure = reason;
    }
}
