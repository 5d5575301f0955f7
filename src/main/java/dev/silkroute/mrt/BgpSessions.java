package dev.silkroute.mrt;

import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings peers up before their first message, and down and up again where a message does not fit into the session at hand:
 * a peer that talks differently has negotiated anew.
 */
final class BgpSessions {
    /** A session that began in the learning pass: its Peer Up can be written only when all of it is known. */
    record Opened(MrtRouter router, Agreement agreement) {}

    private final Agreements agreements;
    private final List<Opened> opened = new ArrayList<>();

    BgpSessions(Agreements agreements) {
        this.agreements = agreements;
    }

    /** Those whose Peer Ups were not written, because nobody knew yet what to write. */
    List<Opened> opened() {
        return opened;
    }

    /** Peer Up, unless it is up. */
    Agreement up(MrtRouter router, MrtPeer peer, long timeMicros) {
        Agreement agreement = peer.agreement;
        if (agreement == null) {
            agreement = agreements.open();
            peer.agreement = agreement;
            peer.notification = null;
            if (agreements.isLearning()) {
                opened.add(new Opened(router, agreement));
            } else {
                router.peerUp(peer, agreement, timeMicros);
            }
        }
        return agreement;
    }

    /** Peer Down, also of a peer that was never seen up: the file may begin while it was. */
    void down(MrtRouter router, MrtPeer peer, long timeMicros) {
        router.peerDown(peer, timeMicros);
        peer.agreement = null;
        peer.notification = null;
    }

    /** A session in which routes of these families may look as they do now. */
    Agreement agree(
            MrtRouter router, MrtPeer peer, long timeMicros, UpdateFamilies families, boolean sent, boolean pathIds) {
        Agreement agreement = up(router, peer, timeMicros);
        for (int i = 0; i < families.size(); i++) {
            if (families.hasRoutes(i) && !agreement.admits(families.family(i), sent, pathIds)) {
                down(router, peer, timeMicros);
                agreement = up(router, peer, timeMicros);
                break;
            }
        }
        for (int i = 0; i < families.size(); i++) {
            int family = families.family(i);
            boolean fits = families.hasRoutes(i) ? agreement.add(family, sent, pathIds) : agreement.add(family);
            if (!fits) {
                throw new DecodeException(
                        "more than " + Agreement.MAX_FAMILIES + " address families of one peer", 0, "RFC 4760");
            }
            if (families.hasExtendedNextHop(i)) {
                agreement.needExtendedNextHop(family);
            }
        }
        return agreement;
    }
}
