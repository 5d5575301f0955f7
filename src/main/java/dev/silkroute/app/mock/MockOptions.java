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
            description = "BMP address of the station (${DEFAULT-VALUE})")
    private String to = "";

    @Option(
            names = "--tls",
            description = "Use TLS, and verify that the station's certificate is trusted and names the host of --to")
    private boolean tls;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Authorities that may have signed the station's certificate, PEM (those of the Java runtime)")
    private @Nullable Path tlsCa;

    @Option(names = "--tls-certificate", paramLabel = "FILE", description = "Certificate to present, PEM")
    private @Nullable Path tlsCertificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "Private key of the certificate, PEM (PKCS #8, without password)")
    private @Nullable Path tlsKey;

    @Option(names = "--hold", description = "Keep the connections open after the last message, until interrupted")
    private boolean hold;

    @Option(
            names = "--routes-dir",
            paramLabel = "DIR",
            description = "Directory with an edited copy of the route that this command runs")
    private @Nullable Path routesDirectory;

    @Mixin
    private ReportOptions report = new ReportOptions();

    StationAddress station() {
        return parse("--to " + to + ": ", () -> StationAddress.parse(to));
    }

    /** Returns null if the connections do not use TLS. */
    @Nullable
    StationTls tls() {
        require(tls || tlsCa == null, "--tls-ca requires --tls");
        require(tls || tlsCertificate == null, "--tls-certificate requires --tls");
        require(tls || tlsKey == null, "--tls-key requires --tls");
        require(tlsKey != null || tlsCertificate == null, "--tls-certificate requires --tls-key");
        require(tlsCertificate != null || tlsKey == null, "--tls-key requires --tls-certificate");
        return tls ? new StationTls(station(), tlsCa, tlsCertificate, tlsKey) : null;
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
