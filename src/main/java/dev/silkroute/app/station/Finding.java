package dev.silkroute.app.station;

/**
 * The result of one check of a set-up.
 *
 * @param check what was checked
 * @param detail what was found, and for anything but {@link Result#OK} what to do
 */
record Finding(String check, Result result, String detail) {
    enum Result {
        OK,
        /** The station works, but not as well or as safely as it could. */
        WARNING,
        /** The station does not start, or does not work. */
        FAILED
    }

    static Finding ok(String check, String detail) {
        return new Finding(check, Result.OK, detail);
    }

    static Finding warning(String check, String detail) {
        return new Finding(check, Result.WARNING, detail);
    }

    static Finding failed(String check, String detail) {
        return new Finding(check, Result.FAILED, detail);
    }
}
