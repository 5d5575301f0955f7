package dev.silkroute.collector.turns;

import dev.silkroute.collector.turns.RouterTurns.Turn;
import dev.silkroute.session.BmpSession;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection's part in {@link RouterTurns}: asks for its turn as soon as its messages say which router it is. Touched by the channel's
 * event loop only, but for what {@link RouterTurns} calls.
 */
public final class RouterTurn implements RouterTurns.Speaker {
    /** So long may the end of a connection take to be seen: a router that has moved to another address is no other one. */
    public static final long GRACE_MILLIS = 1000;

    private static final Logger LOGGER = LoggerFactory.getLogger(RouterTurn.class);

    private final RouterTurns turns;
    private final BmpSession session;
    private final EventExecutor loop;
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
    public RouterTurn(
            RouterTurns turns, BmpSession session, EventExecutor loop, Runnable proceed, Consumer<String> makeWay) {
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
    public boolean has(byte[] bytes, int to) {
        if (!asked) {
            session.name().arrive(bytes, to).ifPresent(router -> {
                asked = true;
                Turn answer = turns.take(router, this);
                waiting = answer != Turn.NOW;
                if (answer == Turn.TAKEN) {
                    loop.schedule(() -> askAgain(router), GRACE_MILLIS, TimeUnit.MILLISECONDS);
                }
            });
        }
        return !waiting;
    }

    /** With its address behind the name, as often as it takes, if that is still somebody else's. */
    private void askAgain(String router) {
        String name = router;
        Turn answer = turns.take(name, this);
        while (answer == Turn.TAKEN) {
            name = name + "@" + address().getHostAddress();
            answer = turns.take(name, this);
        }
        if (!name.equals(router)) {
            session.name().goBy(name);
            LOGGER.warn(
                    "BMP session {} from {} calls itself {}, which is another router's name: it goes by {} (silkroute.router-names gives names by"
                            + " address)",
                    session.id(),
                    address().getHostAddress(),
                    router,
                    name);
        }
        if (answer == Turn.NOW) {
            waiting = false;
            proceed.run();
        }
    }

    public boolean waits() {
        return waiting;
    }

    /** The connection is closed; what it has is still to go. */
    public void close() {
        closed = true;
    }

    /** All is through. Called by any thread. */
    public void leave() {
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
    public boolean isConfigured() {
        return session.name().isConfigured();
    }

    @Override
    public boolean mayBe(String router) {
        return session.name().mayBe(router);
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
