package dev.silkroute.session;

import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a session's router is called. Its messages are looked at twice: by whoever reads them, who has to know which sessions are one router's, and later by
 * the thread that decodes.
 *
 * <p>{@link #text} may be asked at any time by any thread; {@link #arrive} and {@link #goBy} belong to the one that reads, the rest to the one that decodes.
 */
public final class SessionName {
    private final RouterValues names;
    private final RouterIdentity arriving;
    private final RouterIdentity identity;
    private volatile String text;
    private volatile @Nullable String other;
    private boolean fixed;

    SessionName(InetAddress address, RouterValues names) {
        this.names = names;
        arriving = new RouterIdentity(address, names);
        identity = new RouterIdentity(address, names);
        text = identity.text();
    }

    /** The router's identity; the source address until a message has decided it. */
    public String text() {
        return text;
    }

    /** Lets the router be named by these whole messages before anything else is done with them. */
    public void identify(byte[] bytes) {
        identity.offerAll(bytes, bytes.length);
        String name = other;
        if (!fixed) {
            text = name != null && identity.isDecided() ? name : identity.text();
        }
    }

    /**
     * Which router it is, as these whole messages and those before will have it once they are decoded; nothing while they don't
     * decide that.
     */
    public Optional<String> arrive(byte[] bytes, int to) {
        arriving.offerAll(bytes, to);
        return arriving.isDecided() ? Optional.of(arriving.text()) : Optional.empty();
    }

    /** Whether a name isn't one that the operator has given to others. */
    public boolean mayBe(String name) {
        return isConfigured() || !names.values().contains(name);
    }

    /** Whether the operator has named the router, and so may have given the name to others too. */
    public boolean isConfigured() {
        return arriving.isConfigured();
    }

    /**
     * Gives the router another name than it has for itself, because that one is somebody else's. To be called before the messages that decide who
     * it is are decoded.
     */
    public void goBy(String name) {
        other = name;
    }

    boolean isDecided() {
        return identity.isDecided();
    }

    /** The session ends, or goes on with messages that can't decide it. */
    void settle() {
        identity.settle();
    }

    /**
     * The session's first messages are told of under this name, and so all are: what comes later changes it no more.
     *
     * @return whether it is another one than the router has for itself; once only
     */
    boolean fix() {
        boolean news = !fixed && text.equals(other);
        fixed = true;
        return news;
    }
}
