package dev.silkroute.app.console;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** Detects whether standard input and error are a terminal, and how wide that of standard output is. */
public final class Terminal {
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    /** {@code TIOCGWINSZ} of Linux; its result has rows and columns as unsigned shorts. */
    private static final long GET_WINDOW_SIZE = 0x5413;

    private static final int WINDOW_SIZE_BYTES = 8;

    private Terminal() {}

    static boolean isStandardInput() {
        return is(STANDARD_INPUT);
    }

    static boolean isStandardError() {
        return is(STANDARD_ERROR);
    }

    /**
     * Returns the number of columns of the terminal that standard output is, or 0 if it is none or its size is unknown.
     */
    public static int columns() {
        if (!is(STANDARD_OUTPUT)) {
            return 0;
        }
        try (var arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            var ioctl = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS),
                    Linker.Option.firstVariadicArg(2));
            var size = arena.allocate(WINDOW_SIZE_BYTES);
            int result = (int) ioctl.invokeExact(STANDARD_OUTPUT, GET_WINDOW_SIZE, size);
            return result == 0 ? Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, Short.BYTES)) : 0;
        } catch (Throwable e) {
            return 0;
        }
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
