package dev.silkroute.app;

import dev.silkroute.app.cli.Cli;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The program's entry point. Runs the command line; only the command {@code run} boots Quarkus. */
@QuarkusMain
public final class Silkroute {
    private Silkroute() {}

    public static void main(String[] arguments) {
        // The ready line and the rows of a query are UTF-8 in every locale.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.exit(Cli.execute(arguments));
    }
}
