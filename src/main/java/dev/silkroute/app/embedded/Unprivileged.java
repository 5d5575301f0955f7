package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How PostgreSQL, which refuses to run as root, runs where the station does: in a user namespace that maps nobody, so that
 * its files stay root's, or as the user {@code nobody}.
 *
 * @param prefix what goes before its command
 * @param owner who must own its files; empty where that is whoever makes them
 */
record Unprivileged(List<String> prefix, String owner) {
    private static final Unprivileged NAMESPACE = new Unprivileged(List.of("unshare", "--user"), "root");
    private static final Unprivileged SETPRIV =
            new Unprivileged(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"), "nobody");
    private static final Unprivileged SU =
            new Unprivileged(List.of("su", "-s", "/bin/sh", "nobody", "-c", "exec \"$0\" \"$@\""), "nobody");

    Unprivileged {
        prefix = List.copyOf(prefix);
    }

    /** The ways to try, best first: one is enough for whoever isn't root. */
    static List<Unprivileged> ways() {
        return System.getProperty("user.name", "").equals("root")
                ? List.of(NAMESPACE, SETPRIV, SU)
                : List.of(new Unprivileged(List.of(), ""));
    }

    /** The first way that can run a program and write to a folder. */
    static Unprivileged choose(List<Unprivileged> ways, Path program, Path folder) {
        for (var way : ways) {
            if (Shell.succeeds(way.prefix, program.toString(), "--version") && way.owns(folder)) {
                return way;
            }
        }
        throw new OperatorError(
                "PostgreSQL does not run as root, and neither a user namespace nor the user nobody can run " + program
                        + " and write to " + folder + ": start the station as another user, or give --jdbc-url");
    }

    private boolean owns(Path folder) {
        try {
            take(folder);
        } catch (IOException e) {
            return false;
        }
        return Shell.succeeds(prefix, "test", "-w", folder.toString());
    }

    /** Hands a folder and what is in it to the owner. */
    private void take(Path folder) throws IOException {
        if (owner.isEmpty() || Files.getOwner(folder).getName().equals(owner)) {
            return;
        }
        var user = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(owner);
        try (Stream<Path> files = Files.walk(folder)) {
            for (var file : (Iterable<Path>) files::iterator) {
                Files.setOwner(file, user);
            }
        }
    }
}
