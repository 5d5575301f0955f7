package dev.silkroute.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The Linux namespaces of this process. Faults of the network and of disks must not concern the rest of the machine, so
 * they require namespaces of their own, in which they also end with the process: {@code unshare --net --mount}.
 */
final class Namespaces {
    private static final Path PROCESSES = Path.of("/proc");

    private Namespaces() {}

    /** Returns whether this process has a network of its own, and the programs that change it. */
    static boolean hasOwnNetwork() {
        return isOwn("net")
                && isOwn("mnt")
                && Commands.succeeds("nft", "list", "tables")
                && Commands.succeeds("ip", "link", "show", "lo");
    }

    /** Returns whether this process has mounts of its own, and the programs that add some. */
    static boolean hasOwnMounts() {
        return isOwn("mnt") && Commands.succeeds("mkfs.ext4", "-V") && Commands.succeeds("losetup", "--find");
    }

    /** Returns whether a namespace of this process is not that of its parent. */
    private static boolean isOwn(String kind) {
        ProcessHandle process = ProcessHandle.current();
        try {
            return process.parent().isPresent()
                    && !namespace(process, kind)
                            .equals(namespace(process.parent().get(), kind));
        } catch (IOException e) {
            return false; // the parent belongs to another user, so this is not root
        }
    }

    private static Path namespace(ProcessHandle process, String kind) throws IOException {
        return Files.readSymbolicLink(
                PROCESSES.resolve(Long.toString(process.pid())).resolve("ns").resolve(kind));
    }
}
