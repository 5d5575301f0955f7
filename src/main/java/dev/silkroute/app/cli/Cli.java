package dev.silkroute.app.cli;

import dev.silkroute.app.ask.AlertsCommand;
import dev.silkroute.app.ask.CompareCommand;
import dev.silkroute.app.ask.DiffCommand;
import dev.silkroute.app.ask.HistoryCommand;
import dev.silkroute.app.ask.LookupCommand;
import dev.silkroute.app.ask.PeersCommand;
import dev.silkroute.app.ask.RebuildCommand;
import dev.silkroute.app.ask.ReconcileCommand;
import dev.silkroute.app.ask.RoutersCommand;
import dev.silkroute.app.ask.RoutesCommand;
import dev.silkroute.app.ask.SqlCommand;
import dev.silkroute.app.ask.StatusCommand;
import dev.silkroute.app.ask.TimelineCommand;
import dev.silkroute.app.ask.TopicCommand;
import dev.silkroute.app.ask.WatchCommand;
import dev.silkroute.app.backtest.AlertsInitCommand;
import dev.silkroute.app.backtest.AlertsTestCommand;
import dev.silkroute.app.backup.BackupCommand;
import dev.silkroute.app.backup.RestoreCommand;
import dev.silkroute.app.collector.ReleaseNameCommand;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.config.Version;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.mock.LoadCommand;
import dev.silkroute.app.mock.ReplayCommand;
import dev.silkroute.app.redecode.RedecodeCommand;
import dev.silkroute.app.station.DoctorCommand;
import dev.silkroute.app.station.RunCommand;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;

/**
 * The program's command line: its commands, the source of option defaults, and the form in which errors are reported.
 */
@Command(
        name = "silkroute",
        description = "A BMP monitoring station.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Cli.VersionProvider.class,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            ExitCode.OK + ":The command is done.",
            ExitCode.FAILURE + ":The command has failed, for example because no station is reachable.",
            ExitCode.USAGE_ERROR
                    + ":An option, an argument or a setting is invalid, or the station could not be started.",
            ExitCode.INTERRUPTED + ":A signal has interrupted the command before it was done."
        })
public final class Cli implements Runnable {
    @CommandLine.Spec
    @SuppressWarnings("NullAway.Init")
    private CommandLine.Model.CommandSpec spec;

    private Cli() {}

    /** Runs the command that the arguments name and returns the {@linkplain ExitCode exit code}. */
    public static int execute(String... arguments) {
        Configuration configuration;
        try {
            configuration = Configuration.ofProcess();
        } catch (UsageError e) {
            System.err.println("silkroute: " + e.getMessage());
            return ExitCode.USAGE_ERROR;
        }
        return commandLine(configuration).execute(arguments);
    }

    /** Returns the command line with the configuration from which options that are not given take their values. */
    public static CommandLine commandLine(Configuration configuration) {
        var line = new CommandLine(new Cli());
        for (var command : List.of(
                new RunCommand(configuration),
                new ReplayCommand(),
                new LoadCommand(),
                new RedecodeCommand(configuration),
                new RebuildCommand(),
                new SqlCommand(),
                new LookupCommand(),
                new RoutesCommand(),
                new HistoryCommand(),
                new TimelineCommand(),
                new DiffCommand(),
                new CompareCommand(),
                new ReconcileCommand(),
                new RoutersCommand(),
                new PeersCommand(),
                new CommandLine(new AlertsCommand())
                        .addSubcommand(new AlertsTestCommand(configuration))
                        .addSubcommand(new AlertsInitCommand()),
                new StatusCommand(),
                new WatchCommand(),
                new TopicCommand(configuration),
                new DoctorCommand(configuration),
                new BackupCommand(),
                new RestoreCommand(),
                new ReleaseNameCommand(configuration),
                new TestCommand(),
                completion(),
                new CommandLine.HelpCommand())) {
            line.addSubcommand(command);
        }
        useVersion(line);
        line.setHelpFactory(CommandHelp::new);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setDefaultValueProvider(new ConfiguredDefaults(configuration));
        line.setParameterExceptionHandler(Cli::usageError);
        line.setExecutionStrategy(parsed -> runCommand(parsed, configuration));
        line.setExecutionExceptionHandler(Cli::failure);
        return line;
    }

    /** Returns picocli's command, with a description like the others. */
    private static CommandLine completion() {
        var completion = new CommandLine(new AutoComplete.GenerateCompletion());
        completion
                .getCommandSpec()
                .usageMessage()
                .description(
                        "Prints a completion script for bash and zsh.",
                        "For the current shell: source <(./silkroute generate-completion)");
        return completion;
    }

    /** Runs the last command. Unknown settings are rejected first, also by commands that read none, but not by help. */
    private static int runCommand(CommandLine.ParseResult parsed, Configuration configuration) {
        var last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        // Picocli accepts all arguments of help and generate-completion
        if (last.commandSpec().helpCommand() && !last.unmatched().isEmpty()) {
            throw new CommandLine.UnmatchedArgumentException(last.commandSpec().commandLine(), last.unmatched());
        }
        var help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        try {
            configuration.checkNames();
        } catch (UsageError e) {
            throw new CommandLine.ExecutionException(parsed.commandSpec().commandLine(), e.getMessage(), e);
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static void useVersion(CommandLine line) {
        line.getSubcommands().values().forEach(command -> {
            command.getCommandSpec().versionProvider(new VersionProvider());
            useVersion(command);
        });
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static int usageError(ParameterException e, String... arguments) {
        var command = e.getCommandLine();
        command.getErr().println("silkroute: " + ArgumentErrors.describe(e, arguments));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failure(Exception e, CommandLine command, CommandLine.ParseResult result) {
        var err = command.getErr();
        if (e instanceof OperatorError error) {
            err.println("silkroute: " + error.getMessage());
            if (result.originalArgs().contains("--verbose")) {
                error.printStackTrace(err);
            }
            // Nothing runs after a failed start, so `run` reports each of its errors as one of usage.
            return Math.max(ExitCode.of(error), command.getCommandSpec().exitCodeOnExecutionException());
        }
        err.println("silkroute: internal error: " + e);
        e.printStackTrace(err);
        return ExitCode.FAILURE;
    }

    static final class VersionProvider implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            var commit = Version.commit().isEmpty() ? "" : "commit " + Version.commit() + ", ";
            return new String[] {"silkroute " + Version.text() + " (" + commit + "JDK " + Runtime.version() + ")"};
        }
    }
}
