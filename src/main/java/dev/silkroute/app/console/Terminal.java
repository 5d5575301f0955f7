package dev.silkroute.app.console;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Whether somebody is watching. */
final class Terminal {
    private static final int STANDARD_ERROR = 2;

    private Terminal() {}

    /**
     * Whether standard error is a terminal. Java can tell that of standard input and output taken together only, so
     * this asks the C library ({@code isatty}); where it can't be asked the answer is no.
     */
    static boolean onStandardError() {
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
