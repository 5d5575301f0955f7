package dev.silkroute.component.nettyff;

import org.jspecify.annotations.Nullable;

/**
 * How the outbox stands with its peer: connected, connecting, lost, stopped; and what senders have to be told of it before
 * they may go on. Guarded by the outbox's lock.
 *
 * <p>A connection is a session of the peer's: nothing is accepted for the next one before some exchange has failed and so told
 * its sender of the loss ({@link #owed}).
 */
final class Tie {
    private final Runnable connect;
    private final Account account;
    private @Nullable Line line;
    private boolean connecting;
    private boolean stopped = true;

    /** Why there is no connection, nor yet the next. */
    private @Nullable Throwable down;

    /** A loss that no sender knows of yet. */
    private @Nullable Throwable owed;

    /** @param connect asks for a connection and returns at once */
    Tie(Runnable connect, Account account) {
        this.connect = connect;
        this.account = account;
    }

    /** The connection, if there is one. */
    @Nullable
    Line line() {
        return line;
    }

    boolean stopped() {
        return stopped;
    }

    void start() {
        stopped = false;
        down = null;
        owed = null;
    }

    void stop() {
        stopped = true;
    }

    /** Refuses a sender where nothing may be accepted, and so tells it why. */
    void requireOpen(int before) throws SendRefusedException {
        if (stopped) {
            throw new SendRefusedException("the endpoint is stopped", before, null);
        }
        if (down != null) {
            owed = null;
            throw new SendRefusedException("not connected: " + text(down), before, down);
        }
        if (owed != null) {
            Throwable cause = owed;
            owed = null;
            throw new SendRefusedException("the connection was lost: " + text(cause), before, cause);
        }
    }

    /** Who began before a loss has not to go on after it. */
    void requireSame(int losses, int before) throws SendRefusedException {
        if (losses != account.losses) {
            Throwable cause = owed;
            owed = null;
            throw new SendRefusedException("the connection was lost meanwhile", before, cause);
        }
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    void connectIfIdle() {
        if (line == null && !connecting) {
            connect.run();
            connecting = true;
        }
    }

    /** A connection is about to be made without a message: whether it still may. */
    boolean connecting() {
        if (stopped || connecting || line != null) {
            return false;
        }
        connecting = true;
        return true;
    }

    /** Whether somebody waits for this connection. */
    boolean connected(Line to) {
        if (!connecting) {
            return false;
        }
        connecting = false;
        down = null;
        line = to;
        if (account.connections++ > 0) {
            account.reconnects++;
        }
        return true;
    }

    /** Whether it is this connection, or without a line the one being made, that is lost now and not known to be lost before. */
    boolean loses(@Nullable Line from) {
        return from == null ? connecting : from == line;
    }

    /**
     * There is no connection any more.
     *
     * @param untold whether a sender has to learn of it
     */
    void lost(boolean untold, Throwable cause) {
        line = null;
        connecting = false;
        owed = untold ? cause : owed;
    }

    /** From now on senders are refused, until there is the next connection. */
    void down(Throwable cause) {
        down = cause;
    }
}
