package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A way to run PostgreSQL, which rejects to run as root, from a station that does: in a user namespace without
 * mappings, in which its files still belong to root, or as the user {@code nobody}.
 *
 * @param prefix the words before the command
 * @param owner the required owner of its files, empty for the current user
 */
record UserSwitch(List<String> prefix, String owner) {
    private static final UserSwitch NAMESPACE = new UserSwitch(List.of("unshare", "--user"), "root");
    private static final UserSwitch SETPRIV =
            new UserSwitch(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"), "nobody");
    private static final UserSwitch SU =
            new UserSwitch(List.of("su", "-s", "/bin/sh", "nobody", "-c", "exec \"$0\" \"$@\""), "nobody");

    UserSwitch {
        prefix = List.copyOf(prefix);
    }

    /** Returns the candidates for the current user, best first. A user other than root needs no switch. */
    static List<UserSwitch> candidates() {
        return System.getProperty("user.name", "").equals("root")
                ? List.of(NAMESPACE, SETPRIV, SU)
                : List.of(new UserSwitch(List.of(), ""));
    }

    /** Returns the first candidate that can run a program and write to a directory. */
    static UserSwitch choose(List<UserSwitch> candidates, Path program, Path directory) {
        for (var candidate : candidates) {
            if (Programs.succeeds(candidate.prefix, program.toString(), "--version") && candidate.owns(directory)) {
                return candidate;
            }
        }
        throw new OperatorError(
                "PostgreSQL does not run as root, and neither a user namespace nor the user nobody can run " + program
                        + " and write to " + directory + ": start the station as another user, or use --jdbc-url");
    }

    private boolean owns(Path directory) {
        try {
            chown(directory);
            allowPassage(directory.resolveSibling("").toAbsolutePath());
        } catch (IOException e) {
            return false;
        }
        return prefix.isEmpty()
                ? Files.isWritable(directory)
                : Programs.succeeds(prefix, "test", "-w", directory.toString());
    }

    /** Lets the owner of the storage enter the data directory if that belongs to another user. */
    private void allowPassage(Path data) throws IOException {
        if (!owner.isEmpty() && !Files.getOwner(data).getName().equals(owner)) {
            OwnerOnly.allowPassage(data);
        }
    }

    /** Changes the owner of a directory and its content. */
    private void chown(Path directory) throws IOException {
        if (owner.isEmpty() || Files.getOwner(directory).getName().equals(owner)) {
            return;
        }
        var user = directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
        try (Stream<Path> files = Files.walk(directory)) {
            for (var file : (Iterable<Path>) files::iterator) {
                Files.setOwner(file, user);
            }
        }
    }
}
