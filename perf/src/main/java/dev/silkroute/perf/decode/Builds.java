package dev.silkroute.perf.decode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds the programs in {@code perf/contenders}, which run other projects' code, into {@code target/contenders}.
 * Reports those that cannot be built.
 */
public final class Builds {
    private final Path sources;
    private final Path target;
    private final Map<String, String> missing = new LinkedHashMap<>();

    /** @param home the perf folder */
    public Builds(Path home) throws IOException {
        sources = home.toAbsolutePath().resolve("contenders");
        target = Files.createDirectories(home.toAbsolutePath().resolve("target/contenders"));
    }

    /** Returns the folder of a program's sources. */
    public Path source(String folder) {
        return sources.resolve(folder);
    }

    /** Returns the folder of the results. */
    public Path target() {
        return target;
    }

    /** Returns the file that a build creates. */
    public Path program(String name) {
        return target.resolve(name);
    }

    /** Returns the file of the program that runs GoBGP's {@code packet/bmp}. */
    public Path goBgp() {
        return program("decode-gobgp");
    }

    /** Returns the command that builds a program with Go. */
    public static List<String> go(Path program) {
        return List.of("go", "build", "-o", program.toString(), ".");
    }

    /**
     * Builds a program.
     *
     * @param name of the contender
     * @param folder of its sources
     * @return whether it was built
     */
    public boolean build(String name, String folder, List<String> command) throws IOException, InterruptedException {
        System.err.println("building " + name);
        Optional<String> failure = Tools.run(source(folder), target.resolve("build-" + folder + ".log"), command);
        failure.ifPresent(why -> leaveOut(name, why));
        return failure.isEmpty();
    }

    /** Records that a contender is missing. */
    public void leaveOut(String name, String why) {
        missing.put(name, why);
        System.err.println(name + ": " + why);
    }

    /** Returns the reason for each missing contender. */
    public Map<String, String> missing() {
        return Collections.unmodifiableMap(missing);
    }
}
