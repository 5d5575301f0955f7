package dev.silkroute.mrt;

import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;

/**
 * Generates Peer Up before the first message of each peer, and Peer Down and Peer Up where a message is not consistent
 * with the current session: the peer must have negotiated a new session then.
 */
final class BgpSessions {
    /**
     * A session that began in the inferring pass. Its Peer Up can be generated only after all its messages were seen.
     */
    record Opened(MrtRouter router, SessionCapabilities capabilities) {}

    private final SessionCapabilitiesList capabilitiesList;
    private final List<Opened> opened = new ArrayList<>();

    BgpSessions(SessionCapabilitiesList capabilitiesList) {
        this.capabilitiesList = capabilitiesList;
    }

    /** Returns the sessions whose Peer Up was not generated, in the inferring pass. */
    List<Opened> opened() {
        return opened;
    }

    /** Brings the peer up unless it is up. */
    SessionCapabilities up(MrtRouter router, MrtPeer peer, long timeMicros) {
        SessionCapabilities session = peer.session();
        if (session == null) {
            session = capabilitiesList.next();
            peer.openSession(session);
            if (capabilitiesList.isInferring()) {
                opened.add(new Opened(router, session));
            } else {
                router.peerUp(peer, session, timeMicros);
            }
        }
        return session;
    }

    /** Takes the peer down, even if it was never seen up: the file may start during its session. */
    void down(MrtRouter router, MrtPeer peer, long timeMicros) {
        router.peerDown(peer, timeMicros);
        peer.closeSession();
    }

    /**
     * Returns the session for routes of these families; starts a new one if they are not consistent with the current
     * one.
     */
    SessionCapabilities sessionFor(
            MrtRouter router, MrtPeer peer, long timeMicros, UpdateFamilies families, boolean sent, boolean pathIds) {
        SessionCapabilities session = up(router, peer, timeMicros);
        for (int i = 0; i < families.size(); i++) {
            if (families.hasRoutes(i) && !session.isConsistent(families.family(i), sent, pathIds)) {
                down(router, peer, timeMicros);
                session = up(router, peer, timeMicros);
                break;
            }
        }
        for (int i = 0; i < families.size(); i++) {
            int family = families.family(i);
            boolean fits = families.hasRoutes(i) ? session.add(family, sent, pathIds) : session.add(family);
            if (!fits) {
                throw new DecodeException(
                        "more than " + SessionCapabilities.MAX_FAMILIES + " address families of one peer",
                        0,
                        "RFC 4760");
            }
            if (families.hasExtendedNextHop(i)) {
                session.requireExtendedNextHop(family);
            }
        }
        return session;
    }
}
