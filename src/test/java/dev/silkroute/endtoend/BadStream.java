package dev.silkroute.endtoend;

import java.util.Arrays;

/**
 * A BMP stream with one error.
 *
 * @param router the name in its Initiation, or empty if it has none
 * @param damage a description of the error
 * @param good the number of complete valid messages before the error, all of which must be processed
 * @param messages the number of complete messages of the stream, or −1 if that depends on how the error is read
 * @param slow whether it is sent in small pieces with pauses
 */
record BadStream(String router, String damage, byte[] bytes, int good, int messages, Expect expect, boolean slow) {

    /** How the station must handle the stream, without effect on other sessions. */
    enum Expect {
        /** Framing is lost: earlier messages are kept and the session ends with a reason. */
        CLOSE,
        /** The message is invalid but its length is correct: it is quarantined and the session continues. */
        QUARANTINE,
        /** The message type is unknown: the message is counted and skipped, and the session continues. */
        SKIP,
        /** RFC 7606: the route of the message is withdrawn and the session continues. */
        WITHDRAW,
        /** Unusual but valid, or valid except for an attribute that is discarded: the route is announced. */
        ANNOUNCE,
        /** Unusual but acceptable: the session continues and nothing is quarantined. */
        ACCEPT,
        /** However the message is handled, the session continues. */
        GO_ON,
        /** An incomplete message: the session waits for the rest and ends after the timeout. */
        WAIT,
        /** A Termination message, whatever it contains, ends the session: what follows it is not read. */
        TERMINATE,
        /** Undefined, except that the station must survive. */
        ANY;

        boolean continues() {
            return this != ANY && !closes();
        }

        /** Returns whether the station closes the connection by itself. */
        boolean closes() {
            return this == CLOSE || this == WAIT || this == TERMINATE;
        }
    }

    BadStream {
        bytes = bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BadStream that && router.equals(that.router) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return router.hashCode();
    }

    @Override
    public String toString() {
        return router + " (" + damage + ", " + expect + ")";
    }
}
