package dev.silkroute.app.console;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** A command with the options {@code --help} and {@code --version}. Its help lists options as they are declared. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
public abstract class ConsoleCommand implements Callable<Integer> {}
