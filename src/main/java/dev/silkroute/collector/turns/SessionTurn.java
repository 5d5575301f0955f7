package dev.silkroute.collector.turns;

import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.turns.TurnQueue.Answer;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterIdentity;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One session's way to its turn: identifies the router by the session's first messages, joins the {@link TurnQueue}
 * under that identity, and resolves a conflict with another router of the same name.
 *
 * <p>Used by the channel's event loop only, except for {@link #leave} and what {@link TurnQueue} calls.
 */
public final class SessionTurn implements TurnQueue.Entry {
    /**
     * The time for which a name must have been taken before this session gets another one. The end of the other
     * connection may only not have been noticed yet: a router that has moved to another address is the same router.
     */
    public static final long GRACE_MILLIS = 1000;

    /**
     * Maximum bytes of whole messages buffered before the router identifies itself. Beyond it, its source address
     * identifies it.
     */
    static final int MAX_UNIDENTIFIED_BYTES = 65_536;

    private static final Logger LOGGER = LoggerFactory.getLogger(SessionTurn.class);

    private final TurnQueue queue;
    private final OpenSession session;
    private final RouterIdentifier identifier;
    private final EventExecutor loop;
    private final Runnable onGranted;
    private final Consumer<String> onSuperseded;

    private State state = new Unidentified(0);
    private volatile boolean closed;

    private sealed interface State {}

    /** @param examinedTo end of the messages examined so far, an offset in the connection's buffer */
    private record Unidentified(int examinedTo) implements State {}

    /** Earlier sessions of the router are not acknowledged yet, or its name is taken for now. */
    private record Waiting() implements State {}

    private record Granted() implements State {}

    /**
     * @param loop the channel's event loop
     * @param onGranted called on the event loop when the turn has come after a wait
     * @param onSuperseded called on the event loop, with a description of the newer session, when one waits for this
     *     one
     */
    public SessionTurn(
            TurnQueue queue,
            OpenSession session,
            EventExecutor loop,
            Runnable onGranted,
            Consumer<String> onSuperseded) {
        this.queue = queue;
        this.session = session;
        identifier = session.identifier();
        this.loop = loop;
        this.onGranted = onGranted;
        this.onSuperseded = onSuperseded;
    }

    /**
     * Returns whether the session's messages may be sent now. Until the router is identified, examines those that have
     * arrived, which are all of the session's.
     *
     * @param bytes whole messages from the beginning of the array to {@code to}
     */
    public boolean request(byte[] bytes, int to) {
        if (state instanceof Unidentified(int examinedTo)) {
            identifier.examine(bytes, examinedTo, to);
            if (identifier.identity() != null || to > MAX_UNIDENTIFIED_BYTES) {
                join(identifier.settle());
            } else {
                state = new Unidentified(to);
            }
        }
        return isGranted();
    }

    private void join(RouterIdentity own) {
        join(own, own, false);
    }

    /**
     * Joins under a name if the router may use it, which the owners of names may have to find out first.
     *
     * @param own the router's own identity, without address appended
     * @param isLate whether the name has been taken for {@link #GRACE_MILLIS}, so that another one is used
     */
    private void join(RouterIdentity own, RouterIdentity identity, boolean isLate) {
        CompletableFuture<Boolean> allowed = queue.owners().claim(identity, session.address());
        if (allowed.isDone()) {
            decided(own, identity, isLate, allowed.join());
        } else {
            state = new Waiting();
            allowed.thenAccept(isAllowed -> loop.execute(() -> decided(own, identity, isLate, isAllowed)));
        }
    }

    private void decided(RouterIdentity own, RouterIdentity identity, boolean isLate, boolean isAllowed) {
        switch (isAllowed ? queue.join(identity.name(), this) : Answer.NAME_TAKEN) {
            case GRANTED -> {
                boolean waited = isWaiting();
                warnIfOther(own, identity);
                grant(identity);
                if (waited) {
                    onGranted.run();
                }
            }
            case QUEUED -> {
                warnIfOther(own, identity);
                await(identity);
            }
            case NAME_TAKEN -> {
                state = new Waiting();
                if (isLate) {
                    join(own, identity.disambiguated(session.address()), true);
                } else {
                    loop.schedule(() -> join(own, own, true), GRACE_MILLIS, TimeUnit.MILLISECONDS);
                }
            }
        }
    }

    private void warnIfOther(RouterIdentity own, RouterIdentity identity) {
        if (identity != own) {
            LOGGER.warn(
                    "Router name {} of BMP session {} from {} is already used by another router; using {} instead."
                            + " Set silkroute.router-names to name routers by address, or release the name with"
                            + " ./silkroute release-name if the router has moved",
                    own,
                    session.id(),
                    session.address().getHostAddress(),
                    identity);
        }
    }

    private void grant(RouterIdentity identity) {
        session.identify(identity);
        state = new Granted();
    }

    private void await(RouterIdentity identity) {
        session.identify(identity);
        state = new Waiting();
    }

    /**
     * Identifies the router by its source address if no message has identified it. For a session that has ended:
     * nothing follows its messages, so it does not wait for its turn.
     */
    public void settle() {
        if (state instanceof Unidentified) {
            grant(identifier.settle());
        }
    }

    public boolean isGranted() {
        return state instanceof Granted;
    }

    /** Returns whether the router is identified and the turn has not come yet. */
    public boolean isWaiting() {
        return state instanceof Waiting;
    }

    /** The connection is closed; its remaining batches are still to be sent. */
    public void close() {
        closed = true;
    }

    /** All batches of the session are acknowledged. May be called by any thread. */
    public void leave() {
        queue.leave(this);
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
    public boolean isAssured() {
        return identifier.isAssured();
    }

    @Override
    public boolean mayBe(String router) {
        return identifier.mayBe(router);
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void granted() {
        loop.execute(() -> {
            state = new Granted();
            onGranted.run();
        });
    }

    @Override
    public void superseded(TurnQueue.Entry newer) {
        loop.execute(() -> onSuperseded.accept(newer.toString()));
    }

    @Override
    public String toString() {
        return "session " + session.id();
    }
}
