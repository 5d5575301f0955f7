package dev.silkroute.app.cli;

import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line as a whole: its commands, and how errors are told. */
@Command(
        name = "silkroute",
        description = "A BMP monitoring station.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true)
public final class Cli implements Runnable {
    /** Exit code of every error that the operator can mend. */
    public static final int USAGE = 2;

    private static final int FAULT = 1;

    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    private Cli() {}

    public static int execute(String... arguments) {
        return commandLine(Settings.ofProcess()).execute(arguments);
    }

    static CommandLine commandLine(Settings settings) {
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
        line.setParameterExceptionHandler((e, args) -> tell(e.getCommandLine().getErr(), BadArgument.explain(e, args)));
        line.setExecutionExceptionHandler((e, command, result) -> fail(command.getErr(), e, result));
        return line;
    }

    @Override
    public void run() {
        spec.commandLine().usage(System.out);
    }

    private static int fail(PrintWriter err, Exception e, CommandLine.ParseResult result) {
        boolean verbose = result.originalArgs().contains("--verbose");
        if (e instanceof OperatorError error) {
            tell(err, String.valueOf(error.getMessage()));
            if (verbose) {
                error.printStackTrace(err);
            }
            return USAGE;
        }
        tell(err, "unexpected fault: " + e);
        e.printStackTrace(err);
        return FAULT;
    }

    private static int tell(PrintWriter err, String line) {
        err.println("silkroute: " + line);
        return USAGE;
    }
}
