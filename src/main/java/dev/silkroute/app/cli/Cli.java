package dev.silkroute.app.cli;

import dev.silkroute.app.ask.LookupCommand;
import dev.silkroute.app.ask.RebuildCommand;
import dev.silkroute.app.ask.SqlCommand;
import dev.silkroute.app.ask.StatusCommand;
import dev.silkroute.app.ask.TopicCommand;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.config.Version;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.mock.LoadCommand;
import dev.silkroute.app.mock.ReplayCommand;
import dev.silkroute.app.redecode.RedecodeCommand;
import dev.silkroute.app.station.RunCommand;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The program's command line: its commands, the source of option defaults, and the form in which errors are reported.
 */
@Command(
        name = "silkroute",
        description = "A BMP monitoring station.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Cli.VersionProvider.class,
        mixinStandardHelpOptions = true)
public final class Cli implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    private Cli() {}

    /** Runs the command that the arguments name and returns the {@linkplain ExitCode exit code}. */
    public static int execute(String... arguments) {
        return commandLine(Settings.ofProcess()).execute(arguments);
    }

    /** Returns the command line with the settings from which options that are not given take their values. */
    public static CommandLine commandLine(Settings settings) {
        var line = new CommandLine(new Cli());
        for (var command : List.of(
                new RunCommand(),
                new ReplayCommand(),
                new LoadCommand(),
                new RedecodeCommand(),
                new RebuildCommand(),
                new SqlCommand(),
                new LookupCommand(),
                new StatusCommand(),
                new TopicCommand())) {
            line.addSubcommand(command);
        }
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setDefaultValueProvider(new SettingDefaults(settings));
        line.setParameterExceptionHandler(
                (e, arguments) -> usageError(e.getCommandLine().getErr(), ArgumentErrors.describe(e, arguments)));
        line.setExecutionExceptionHandler((e, command, result) -> failure(command.getErr(), e, result));
        return line;
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    private static int failure(PrintWriter err, Exception e, CommandLine.ParseResult result) {
        if (e instanceof OperatorError error) {
            usageError(err, String.valueOf(error.getMessage()));
            if (result.originalArgs().contains("--verbose")) {
                error.printStackTrace(err);
            }
            return ExitCode.USAGE_ERROR;
        }
        err.println("silkroute: internal error: " + e);
        e.printStackTrace(err);
        return ExitCode.INTERNAL_ERROR;
    }

    private static int usageError(PrintWriter err, String line) {
        err.println("silkroute: " + line);
        return ExitCode.USAGE_ERROR;
    }

    static final class VersionProvider implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"silkroute " + Version.text()};
        }
    }
}
