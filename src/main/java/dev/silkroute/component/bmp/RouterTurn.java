package dev.silkroute.component.bmp;

import dev.silkroute.session.BmpSession;
import java.net.InetAddress;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A connection's part in {@link RouterTurns}: asks for its turn as soon as its messages say which router it is. Touched by the channel's
 * event loop only, but for what {@link RouterTurns} calls.
 */
final class RouterTurn implements RouterTurns.Speaker {
    private final RouterTurns turns;
    private final BmpSession session;
    private final Executor loop;
    private final Runnable proceed;
    private final Consumer<String> makeWay;
    private volatile boolean closed;
    private boolean asked;
    private boolean waiting;

    /**
     * @param loop the channel's event loop
     * @param proceed called there when the turn has come
     * @param makeWay called there when a newer session, which is described, waits for this one
     */
    RouterTurn(RouterTurns turns, BmpSession session, Executor loop, Runnable proceed, Consumer<String> makeWay) {
        this.turns = turns;
        this.session = session;
        this.loop = loop;
        this.proceed = proceed;
        this.makeWay = makeWay;
    }

    /**
     * Whether these messages, the next of the session, may go on now. As long as none says which router it is, all may.
     *
     * @param to end of the last whole message
     */
    boolean has(byte[] bytes, int to) {
        if (!asked) {
            session.arrive(bytes, to).ifPresent(router -> {
                asked = true;
                waiting = !turns.take(router, this);
            });
        }
        return !waiting;
    }

    boolean waits() {
        return waiting;
    }

    /** The connection is closed; what it has is still to go. */
    void close() {
        closed = true;
    }

    /** All is through. Called by any thread. */
    void leave() {
        turns.leave(this);
    }

    @Override
    public long id() {
        return session.id();
    }

    @Override
    public InetAddress address() {
        return session.address();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void proceed() {
        loop.execute(() -> {
            waiting = false;
            proceed.run();
        });
    }

    @Override
    public void makeWay(RouterTurns.Speaker newer) {
        loop.execute(() -> makeWay.accept(newer.toString()));
    }

    @Override
    public String toString() {
        return "session " + session.id();
    }
}
