package dev.silkroute.session;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.InformationTlvs;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerUp;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DecodeException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Who the router is: its configured name, else the sysName of its Initiation, else the BGP ID of the first local OPEN,
 * else the source address. Decided once, by the first message that can decide it, and never changed: it is the key of
 * everything the session says.
 */
final class RouterIdentity {
    private final String fallback;
    private final boolean configured;
    private @Nullable String decided;

    RouterIdentity(InetAddress address, RouterValues names) {
        fallback = address.getHostAddress();
        decided = names.of(address).orElse(null);
        configured = decided != null;
    }

    /** Whether the operator has named it. */
    boolean isConfigured() {
        return configured;
    }

    boolean isDecided() {
        return decided != null;
    }

    /** The identity, or the source address while it isn't decided. */
    String text() {
        String known = decided;
        return known != null ? known : fallback;
    }

    /** The session ends, or goes on with messages that can't decide it. */
    void settle() {
        decided = text();
    }

    /** Looks at whole messages until one has decided it. */
    void offerAll(byte[] bytes, int to) {
        for (int at = 0; at < to && decided == null; at += BmpMessages.length(bytes, at)) {
            offer(bytes, at, at + BmpMessages.length(bytes, at));
        }
    }

    private void offer(byte[] bytes, int from, int to) {
        int type = BmpMessages.type(bytes, from);
        try {
            if (type == MessageType.INITIATION.code()) {
                InformationTlvs.decode(
                                bytes, from + BmpMessages.COMMON_HEADER_LENGTH, to, BmpMessages.version(bytes, from))
                        .sysName()
                        .map(RouterIdentity::clean)
                        .filter(name -> !name.isEmpty())
                        .ifPresent(name -> decided = name);
            } else if (type == MessageType.PEER_UP.code() && to - from > BmpMessages.PEER_BODY) {
                int bgpId = PeerUp.decode(bytes, from + BmpMessages.PEER_BODY, to, false)
                        .sent()
                        .bgpId();
                // Zero is nobody's (RFC 6286, Section 2.1); OPENs that were made up for a Loc-RIB may have it
                decided = bgpId == 0 ? text() : Addresses.ipv4(bgpId);
            } else if (MessageType.of(type) != null) {
                settle();
            }
        } catch (DecodeException e) {
            // The message is quarantined when it is decoded; here it only fails to name the router.
            if (type != MessageType.INITIATION.code()) {
                settle();
            }
        }
    }

    /**
     * A name goes into keys, rows and log lines: what steers a terminal or ends a line has no place there, nor has what can't be seen or
     * turns the direction of writing, nor endless length.
     */
    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().filter(RouterIdentity::isVisible).limit(255).forEach(clean::appendCodePoint);
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
