package dev.silkroute.chaos;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The loopback network of a cluster in a network namespace of its own, with faults by nftables. A process is recognized
 * by its control group, so that a fault can concern the connections between one process and one port. Thread-safe.
 */
final class Network implements AutoCloseable {
    private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

    /** The rules that are the same for all connections of a fault. */
    enum Fault {
        /** No packet arrives. Connections stay open without a reply. */
        CUT("drop"),
        /** About 64 kB per second in each direction. */
        SLOW("limit rate over 64 kbytes/second burst 128 kbytes drop"),
        /** One packet of ten is lost. */
        LOSS("numgen random mod 10 == 0 drop");

        private final String verdict;

        Fault(String verdict) {
            this.verdict = verdict;
        }
    }

    private final String group = "silkroute-chaos-" + ProcessHandle.current().pid();
    private final AtomicInteger faults = new AtomicInteger();

    private Network() {}

    /** Prepares the network of this process's namespace. */
    static Network open() {
        if (!Namespaces.hasOwnNetwork()) {
            throw new IllegalStateException("network faults require a network and mounts of their own");
        }
        Network network = new Network();
        Commands.run("ip", "link", "set", "lo", "up");
        // nftables resolves the names of control groups in this directory
        Commands.run("mount", "-t", "cgroup2", "none", CONTROL_GROUPS.toString());
        Commands.run("mkdir", "-p", CONTROL_GROUPS.resolve(network.group).toString());
        return network;
    }

    /** Returns the words before a command that let its process have a control group of this name. */
    List<String> prefix(String process) {
        Path own = CONTROL_GROUPS.resolve(group).resolve(process);
        Commands.run("mkdir", "-p", own.toString());
        return List.of(
                "sh",
                "-c",
                "echo $$ > \"$0\" && exec \"$@\"",
                own.resolve("cgroup.procs").toString());
    }

    /**
     * Starts a fault of all connections of a process with a port.
     *
     * @param process a name given to {@link #prefix}
     * @param port of another process
     * @return the action that ends the fault
     */
    Runnable disturbClient(Fault fault, String process, int port) {
        String of = "socket cgroupv2 level 2 \"" + group + "/" + process + "\" tcp ";
        return disturb(of + "dport " + port + " " + fault.verdict, of + "sport " + port + " " + fault.verdict);
    }

    /** Starts a fault of all connections with a port, and returns the action that ends it. */
    Runnable disturbServer(Fault fault, int port) {
        return disturb("tcp dport " + port + " " + fault.verdict, "tcp sport " + port + " " + fault.verdict);
    }

    /**
     * On the loopback interface each packet passes both hooks. What a process sends is seen where it leaves, and what
     * it receives where it arrives, because there the packet belongs to its socket.
     */
    private Runnable disturb(String sent, String received) {
        String table = "fault" + faults.incrementAndGet();
        Commands.runWithInput("""
                table inet %s {
                    chain sent { type filter hook output priority 0; %s; }
                    chain received { type filter hook input priority 0; %s; }
                }
                """.formatted(table, sent, received), "nft", "-f", "-");
        return () -> Commands.run("nft", "delete", "table", "inet", table);
    }

    @Override
    public void close() {
        Path own = CONTROL_GROUPS.resolve(group);
        // A group without processes; one that is left does no harm
        Commands.succeeds("find", own.toString(), "-depth", "-type", "d", "-exec", "rmdir", "{}", "+");
        Commands.succeeds("umount", CONTROL_GROUPS.toString());
    }
}
