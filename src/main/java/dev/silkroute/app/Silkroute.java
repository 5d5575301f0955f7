package dev.silkroute.app;

import dev.silkroute.app.cli.ReplayCommand;
import io.quarkus.runtime.annotations.QuarkusMain;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program's entry point. */
@QuarkusMain
@Command(name = "silkroute", description = "A BMP monitoring station.", subcommands = ReplayCommand.class)
public final class Silkroute {
    private Silkroute() {}

    public static void main(String[] args) {
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        CommandLine commands = new CommandLine(new Silkroute());
        commands.setParameterExceptionHandler((e, arguments) -> {
            e.getCommandLine().getErr().println("silkroute: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        });
        System.exit(commands.execute(args));
    }
}
