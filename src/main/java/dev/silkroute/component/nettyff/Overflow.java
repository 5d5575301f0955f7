package dev.silkroute.component.nettyff;

/** The treatment of a message that would exceed {@code maxPendingBytes}. */
public enum Overflow {
    /** The sender waits for space; after {@code sendTimeout} its exchange fails. */
    BLOCK,
    /** The exchange fails at once and nothing of it is sent. */
    FAIL,
    /** The message is counted as accepted and as dropped, and the exchange succeeds. */
    DROP
}
