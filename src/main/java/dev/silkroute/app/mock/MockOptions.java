package dev.silkroute.app.mock;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReadableDirectory;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.net.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that {@code replay} and {@code load} share, and their output streams. */
final class MockOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec command;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:11019",
            description = "BMP address of the station (${DEFAULT-VALUE}).")
    private String to = "";

    @Option(names = "--hold", description = "Keep the connections open after the last message, until interrupted.")
    private boolean hold;

    @Option(
            names = "--routes-dir",
            paramLabel = "DIR",
            description = "Directory with an edited copy of the route that this command runs.")
    private @Nullable Path routesDirectory;

    @Mixin
    private ReportOptions report = new ReportOptions();

    StationAddress station() {
        return parse("--to " + to + ": ", () -> StationAddress.parse(to));
    }

    boolean hold() {
        return hold;
    }

    @Nullable
    Path routesDirectory() {
        return ReadableDirectory.require("--routes-dir", routesDirectory);
    }

    /** Parses an option's value and reports an {@link IllegalArgumentException} as an error of usage. */
    <T> T parse(String messagePrefix, Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), messagePrefix + e.getMessage(), e);
        }
    }

    void require(boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(command.commandLine(), message);
        }
    }

    /** Prints the report with which the command ends. */
    void report(String text, Json.Value json) {
        report.print(text, json);
    }

    PrintWriter err() {
        return command.commandLine().getErr();
    }

    /** Prints a line on standard error. */
    void warn(String line) {
        PrintWriter err = err();
        err.println("silkroute " + command.name() + ": " + line);
        err.flush();
    }

    /** Prints an error and returns {@link ExitCode#FAILURE}. */
    int fail(String line) {
        warn(line);
        return ExitCode.FAILURE;
    }

    /** Prints an error with its consequence and returns the exit code for it. */
    int fail(OperatorError e, String consequence) {
        warn(e.getMessage() + "; " + consequence);
        return ExitCode.of(e);
    }

    void announceHold() {
        warn("holding the connections open until interrupted");
    }
}
