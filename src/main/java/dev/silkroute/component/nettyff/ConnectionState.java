package dev.silkroute.component.nettyff;

import org.jspecify.annotations.Nullable;

/**
 * The state of the connection of a send buffer, and the failures that senders must still be informed of. Guarded by the
 * lock of the {@link SendBuffer}.
 *
 * <pre>
 *            start()              message or timer         connected()
 * stopped ───────────▶ idle ──────────────────────▶ connecting ──────────▶ connected
 *                       ▲                               │ lost()              │ lost()
 *                       └───────────────────────────────┴─────────────────────┘
 * </pre>
 *
 * <p>A connection is a session with the peer. After a loss nothing is accepted for the next session until one exchange
 * has failed and so has informed its sender ({@link #unreportedLoss}).
 */
final class ConnectionState {
    private final Runnable connect;
    private final SendCounters counters;
    private @Nullable DrainScheduler current;
    private boolean isConnecting;
    private boolean isStopped = true;

    /** The reason for the loss of the last connection, until the next one is open. Senders are rejected meanwhile. */
    private @Nullable Throwable disconnectCause;

    /** A loss that no sender has been informed of yet. */
    private @Nullable Throwable unreportedLoss;

    /** @param connect starts a connection attempt and returns at once */
    ConnectionState(Runnable connect, SendCounters counters) {
        this.connect = connect;
        this.counters = counters;
    }

    /** Returns the scheduler of the current connection, or null without one. */
    @Nullable
    DrainScheduler current() {
        return current;
    }

    boolean isStopped() {
        return isStopped;
    }

    void start() {
        isStopped = false;
        disconnectCause = null;
        unreportedLoss = null;
    }

    void stop() {
        isStopped = true;
    }

    /**
     * Throws if nothing may be accepted now.
     *
     * @param acceptedBefore the messages of the same exchange that were accepted already
     */
    void requireOpen(int acceptedBefore) throws SendRejectedException {
        requireNotStopped(acceptedBefore);
        if (disconnectCause != null) {
            unreportedLoss = null;
            throw new SendRejectedException(
                    "not connected: " + message(disconnectCause), acceptedBefore, disconnectCause);
        }
        if (unreportedLoss != null) {
            Throwable cause = unreportedLoss;
            unreportedLoss = null;
            throw new SendRejectedException("the connection was lost: " + message(cause), acceptedBefore, cause);
        }
    }

    private void requireNotStopped(int acceptedBefore) throws SendRejectedException {
        if (isStopped) {
            throw new SendRejectedException("the endpoint is stopped", acceptedBefore, null);
        }
    }

    /**
     * Throws if a connection was lost since {@code losses} were counted: the rest of an exchange must not go into the
     * next session.
     */
    void requireSameConnection(int losses, int acceptedBefore) throws SendRejectedException {
        requireNotStopped(acceptedBefore); // which ends the connection, too
        if (losses != counters.losses) {
            Throwable cause = unreportedLoss;
            unreportedLoss = null;
            throw new SendRejectedException("the connection was lost meanwhile", acceptedBefore, cause);
        }
    }

    private static String message(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    void connectIfIdle() {
        if (current == null && !isConnecting) {
            connect.run();
            isConnecting = true;
        }
    }

    /**
     * Enters the connecting state for an attempt that no message triggered. Returns false if no connection is wanted.
     */
    boolean beginConnecting() {
        if (isStopped || isConnecting || current != null) {
            return false;
        }
        isConnecting = true;
        return true;
    }

    /** Enters the connected state. Returns false if the attempt was abandoned meanwhile. */
    boolean connected(DrainScheduler connection) {
        if (!isConnecting) {
            return false;
        }
        isConnecting = false;
        disconnectCause = null;
        current = connection;
        if (counters.connections++ > 0) {
            counters.reconnects++;
        }
        return true;
    }

    /** Returns whether this is the current connection or, for null, whether an attempt is in progress. */
    boolean isCurrent(@Nullable DrainScheduler connection) {
        return connection == null ? isConnecting : connection == current;
    }

    /**
     * Enters the idle state; a later message connects again.
     *
     * @param mustReport whether a sender has to be informed
     */
    void abandon(boolean mustReport, Throwable cause) {
        current = null;
        isConnecting = false;
        unreportedLoss = mustReport ? cause : unreportedLoss;
    }

    /** Enters the idle state after a loss; senders are rejected until the next connection is established. */
    void lost(boolean mustReport, Throwable cause) {
        abandon(mustReport, cause);
        disconnectCause = cause;
    }
}
