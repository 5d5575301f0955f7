package dev.silkroute.app;

import dev.silkroute.app.cli.Cli;
import io.quarkus.runtime.annotations.QuarkusMain;

/** The program's entry point. The command line is read first; Quarkus boots for the commands that need it. */
@QuarkusMain
public final class Silkroute {
    private Silkroute() {}

    public static void main(String[] arguments) {
        System.exit(Cli.execute(arguments));
    }
}
