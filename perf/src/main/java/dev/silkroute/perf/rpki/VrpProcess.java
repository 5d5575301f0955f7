package dev.silkroute.perf.rpki;

import dev.silkroute.perf.rib.Memory;
import dev.silkroute.rpki.VrpFile;
import dev.silkroute.rpki.VrpTable;
import java.lang.ref.Reference;
import java.nio.file.Path;

/**
 * Reads a file of VRPs, as a station does that starts, and prints how many there are, the seconds, and the bytes of
 * memory that are in use afterwards.
 */
final class VrpProcess {
    private VrpProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        long start = System.nanoTime();
        VrpTable table = VrpFile.read(file).vrps();
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.println(table.size() + " " + seconds + " " + Memory.inUse());
        Reference.reachabilityFence(table);
    }
}
