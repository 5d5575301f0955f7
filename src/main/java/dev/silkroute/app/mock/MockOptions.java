package dev.silkroute.app.mock;

import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.app.console.ReadableDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What the commands of the mock side have in common: where to, by which routes, and how they speak. */
final class MockOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Says this.")
    private boolean help;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:11019",
            description = "The station (${DEFAULT-VALUE}).")
    private String to = "";

    @Option(names = "--hold", description = "Keep the connections open at the end, until interrupted.")
    private boolean hold;

    @Option(
            names = "--routes-dir",
            paramLabel = "DIR",
            description = "Where an edited copy of the route that this runs is looked for.")
    private @Nullable Path routesDirectory;

    StationAddress station() {
        return parsed("--to " + to + ": ", () -> StationAddress.parse(to));
    }

    boolean hold() {
        return hold;
    }

    @Nullable
    Path routesDirectory() {
        return ReadableDirectory.require("--routes-dir", routesDirectory);
    }

    /** An option's value, whose parser says in its exception what is wrong; {@code before} goes before that. */
    <T> T parsed(String before, Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), before + e.getMessage(), e);
        }
    }

    void check(boolean right, String otherwise) {
        if (!right) {
            throw new ParameterException(command.commandLine(), otherwise);
        }
    }

    PrintWriter out() {
        return command.commandLine().getOut();
    }

    PrintWriter err() {
        return command.commandLine().getErr();
    }

    /** Says a line on standard error. */
    void say(String line) {
        PrintWriter err = err();
        err.println("silkroute " + command.name() + ": " + line);
        err.flush();
    }

    /** Says why it failed; the exit code. */
    int fail(String line) {
        say(line);
        return ExitCode.USAGE_ERROR;
    }

    void holdUntil(Interruption interruption) {
        say("holding the connections open until interrupted");
        interruption.await();
    }
}
