package dev.silkroute.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes, and what the kernel says of their memory. */
final class Processes {
    private Processes() {}

    /** A process and all that it has started, those first that were there first. */
    static List<ProcessHandle> tree(ProcessHandle root) {
        return Stream.concat(Stream.of(root), root.descendants()).toList();
    }

    /** SIGKILL to all at once, so that none can tell another. */
    static void kill(List<ProcessHandle> processes) {
        signal("KILL", processes);
        processes.forEach(process -> process.onExit().join());
    }

    static void signal(String signal, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        try {
            // One that has ended by itself in the meantime makes kill complain, and is no matter.
            var unused = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The most memory that a process ever had resident, in MiB; 0 where it is gone. */
    static long mostResidentMib(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
