package dev.silkroute.app;

import dev.silkroute.app.cli.Cli;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The program's entry point. The command line is read first; Quarkus boots for the commands that need it. */
@QuarkusMain
public final class Silkroute {
    private Silkroute() {}

    public static void main(String[] arguments) {
        // Whatever the locale: the ready line and rows of a query are UTF-8
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8));
        System.exit(Cli.execute(arguments));
    }
}
