package dev.silkroute.session.identity;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import dev.silkroute.session.identity.RouterIdentity.Source;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Determines the identity of the router at the other end of one session: the name in its certificate, else the name
 * configured for its address, else the sysName of its Initiation, else the BGP identifier of the first OPEN that it
 * sent to a peer, else the source address of the connection.
 *
 * <p>The first message that can decide it decides it for the whole session. Only Initiations without a usable sysName
 * and messages of unknown types leave it open; every other message without a name makes it the source address. Not
 * thread-safe.
 */
public final class RouterIdentifier {
    private static final int MAX_NAME_LENGTH = 255;

    private final RouterValues names;
    private final InetAddress address;
    private final boolean assured;
    private @Nullable RouterIdentity identity;

    /**
     * @param address source address of the connection
     * @param names names that the operator has configured
     */
    public RouterIdentifier(InetAddress address, RouterValues names) {
        this(address, names, true, null);
    }

    /**
     * @param address source address of the connection
     * @param names names that the operator has configured
     * @param acceptsClaims whether a name in the router's messages is used; otherwise its address is
     * @param certified the name in the certificate that the router has presented, null if it has none
     */
    public RouterIdentifier(
            InetAddress address, RouterValues names, boolean acceptsClaims, @Nullable String certified) {
        this.address = address;
        this.names = names;
        RouterIdentity known = certified == null
                ? names.of(address).map(RouterIdentity::configured).orElse(null)
                : RouterIdentity.certified(certified);
        assured = known != null;
        identity = known == null && !acceptsClaims ? RouterIdentity.ofAddress(address) : known;
    }

    /** Returns the identity of a router whose messages are all at hand; names are not configured. */
    public static RouterIdentity identify(InetAddress address, byte[] messages) {
        RouterIdentifier identifier = new RouterIdentifier(address, RouterValues.NONE);
        identifier.examine(messages, 0, messages.length);
        return identifier.settle();
    }

    /** Returns the router's identity, or null until a message has decided it. */
    public @Nullable RouterIdentity identity() {
        return identity;
    }

    /** Decides for the source address if no message has decided otherwise, and returns the identity. */
    public RouterIdentity settle() {
        RouterIdentity decided = identity;
        if (decided == null) {
            decided = RouterIdentity.ofAddress(address);
            identity = decided;
        }
        return decided;
    }

    /** Returns whether the router's name is configured or from its certificate. */
    public boolean isAssured() {
        return assured;
    }

    /**
     * Returns whether the router may have this name: a configured name belongs to the addresses that it is configured
     * for.
     */
    public boolean mayBe(String name) {
        return assured || !names.values().contains(name);
    }

    /** Examines the whole messages in {@code from..to}, up to the one that decides the identity. */
    public void examine(byte[] bytes, int from, int to) {
        for (int at = from; at < to && identity == null; at += BmpMessages.length(bytes, at)) {
            examineMessage(bytes, at, at + BmpMessages.length(bytes, at));
        }
    }

    private void examineMessage(byte[] bytes, int from, int to) {
        MessageType type = MessageType.of(BmpMessages.type(bytes, from));
        try {
            if (type == MessageType.INITIATION) {
                initiation(bytes, from, to);
            } else if (type == MessageType.PEER_UP && to - from > BmpMessages.PEER_BODY) {
                peerUp(bytes, from, to);
            } else if (type != null) {
                settle();
            }
        } catch (DecodeException e) {
            // The decoder quarantines the message later; here it only fails to name the router.
            if (type != MessageType.INITIATION) {
                settle();
            }
        }
    }

    private void initiation(byte[] bytes, int from, int to) {
        InformationTlvs.decode(bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to, BmpMessages.version(bytes, from))
                .sysName()
                .map(RouterIdentifier::sanitize)
                .filter(name -> !name.isEmpty())
                .ifPresent(name -> identity = new RouterIdentity(name, Source.SYS_NAME));
    }

    private void peerUp(byte[] bytes, int from, int to) {
        int bgpId = PeerUp.decode(bytes, from + BmpMessages.PEER_BODY, to, false, BmpMessages.version(bytes, from))
                .sent()
                .bgpId();
        if (bgpId == 0) {
            // Zero is not a valid identifier (RFC 6286, Section 2.1), but OPENs made up for a Loc-RIB contain it.
            settle();
        } else {
            identity = new RouterIdentity(Addresses.ipv4(bgpId), Source.BGP_ID);
        }
    }

    /**
     * Removes what must not appear in keys, rows and log lines: control characters, line separators, and invisible
     * characters such as those that reverse the writing direction. Cuts the name to {@value #MAX_NAME_LENGTH} code
     * points.
     */
    static String sanitize(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .filter(RouterIdentifier::isVisible)
                .limit(MAX_NAME_LENGTH)
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
