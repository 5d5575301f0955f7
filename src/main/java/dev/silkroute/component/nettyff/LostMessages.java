package dev.silkroute.component.nettyff;

/**
 * The accepted messages that failed because a connection ended or could not be established.
 *
 * @param messages the number of messages; 0 if nothing was pending
 * @param bytes the size of the buffers that held them
 */
record LostMessages(long messages, long bytes, Throwable cause) {
    /** Adds a later loss; the cause stays that of the first. */
    LostMessages plus(LostMessages later) {
        return new LostMessages(messages + later.messages, bytes + later.bytes, cause);
    }
}
