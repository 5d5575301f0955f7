package dev.silkroute.component.nettyff;

/**
 * Accepted messages that did not get out because a connection ended or could not be made.
 *
 * @param messages how many; 0 when the connection ended with nothing on its way
 * @param bytes of the buffers in which they were
 * @param cause what is known of the reason
 */
record Loss(long messages, long bytes, Throwable cause) {
    Loss plus(Loss later) {
        return new Loss(messages + later.messages, bytes + later.bytes, cause);
    }
}
