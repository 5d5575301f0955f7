package dev.silkroute.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Runs programs of the operating system. */
final class Commands {
    private Commands() {}

    /**
     * Runs a program to its end.
     *
     * @throws IllegalStateException with its output if it fails
     */
    static void run(String... command) {
        runWithInput("", command);
    }

    /**
     * Runs a program with this text as its standard input to its end.
     *
     * @throws IllegalStateException with its output if it fails
     */
    static void runWithInput(String input, String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            if (exit != 0) {
                throw new IllegalStateException(
                        String.join(" ", command) + " ended with " + exit + ": " + output.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Runs a program to its end. Returns whether it exists and succeeded. */
    static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
