package dev.silkroute.app.console;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Detects whether output goes to a terminal. */
final class Terminal {
    private static final int STANDARD_ERROR = 2;

    private Terminal() {}

    /**
     * Returns whether standard error is a terminal. {@code System.console()} covers only standard input and output
     * together, so this calls {@code isatty} of the C library; where that fails, the result is false.
     */
    static boolean isStandardError() {
        try {
            Linker linker = Linker.nativeLinker();
            var isatty = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("isatty"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            return (int) isatty.invokeExact(STANDARD_ERROR) == 1;
        } catch (Throwable e) {
            return false;
        }
    }
}
