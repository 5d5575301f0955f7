package dev.silkroute.rpki.rtr;

/** Arithmetic of 32-bit serial numbers, which wrap around (RFC 1982, Section 3.2). */
final class SerialNumber {
    private SerialNumber() {}

    /** Returns whether a serial number is after another. Numbers that are 2^31 apart have no order. */
    static boolean isAfter(int serial, int other) {
        return serial - other > 0;
    }
}
