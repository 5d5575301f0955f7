package dev.silkroute.app.console;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Detects whether standard input and error are a terminal. */
final class Terminal {
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_ERROR = 2;

    private Terminal() {}

    static boolean isStandardInput() {
        return is(STANDARD_INPUT);
    }

    static boolean isStandardError() {
        return is(STANDARD_ERROR);
    }

    /**
     * Returns whether a file descriptor is a terminal. {@code System.console()} covers only standard input and output
     * together, so this calls {@code isatty} of the C library; where that fails, the result is false.
     */
    private static boolean is(int descriptor) {
        try {
            Linker linker = Linker.nativeLinker();
            var isatty = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("isatty"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            return (int) isatty.invokeExact(descriptor) == 1;
        } catch (Throwable e) {
            return false;
        }
    }
}
