package dev.silkroute.endtoend;

import java.util.Arrays;

/**
 * A BMP stream with one thing wrong in it.
 *
 * @param router the name in its Initiation; empty where it has none
 * @param damage what is wrong, for the text of a failure
 * @param good whole good messages before the damage: all are accounted for whatever comes then
 * @param messages whole messages of the stream, -1 where the damage leaves that open
 * @param slow whether it is sent in small pieces with pauses between
 */
record BadStream(String router, String damage, byte[] bytes, int good, int messages, Expect expect, boolean slow) {

    /** What a station does about it; its other sessions never notice. */
    enum Expect {
        /** Framing is lost: what came before is kept, the session ends with its reason. */
        CLOSE,
        /** The message can't be used but its length is honest: it is in quarantine, and the session goes on. */
        QUARANTINE,
        /** The message's type is not known: it is counted and skipped, and the session goes on. */
        SKIP,
        /** RFC 7606: the route of the message is withdrawn, and the session goes on. */
        WITHDRAW,
        /** Odd, but right, or right but for an attribute that is left out: the route of the message is announced. */
        ANNOUNCE,
        /** Odd, and nothing to be refused: the session goes on, and nothing is in quarantine. */
        ACCEPT,
        /** Whatever is made of the message, the session goes on. */
        GO_ON,
        /** A message that does not become whole: the session waits for it, and ends when it has waited long enough. */
        WAIT,
        /** Nothing, but that the station lives. */
        ANY;

        boolean goesOn() {
            return this != CLOSE && this != WAIT && this != ANY;
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
