package dev.silkroute.session;

/** The phases of a session's decoder. Each has the transitions that are legal in it as methods. */
sealed interface SessionPhase {
    /** No whole message has been received. A connection that ends here was not a BMP session. */
    record Connected() implements SessionPhase {
        Up firstMessage() {
            return new Up();
        }

        Ended rejected() {
            return new Ended();
        }
    }

    /** Messages have been received. */
    record Up() implements SessionPhase {
        Ended down() {
            return new Ended();
        }
    }

    /** The last batch has been decoded. */
    record Ended() implements SessionPhase {}
}
