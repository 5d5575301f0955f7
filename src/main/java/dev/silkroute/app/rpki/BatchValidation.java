package dev.silkroute.app.rpki;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.PathVerification;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.VrpTable;
import org.jspecify.annotations.Nullable;

/** Validates the announcements of a batch. The path is decoded once for each attribute set. For one thread. */
final class BatchValidation {
    /** A path that has no verdict, in contrast to 0, which has not been verified yet. */
    private static final byte NOT_VERIFIED = -1;

    private final RouteBatch batch;
    private final @Nullable AsPath[] paths;

    BatchValidation(RouteBatch batch) {
        this.batch = batch;
        paths = new AsPath[batch.attributeSetCount()];
    }

    /**
     * Returns the {@link Validity#code} of each event: 0 except for announcements of unicast and labelled unicast
     * routes, because VRPs are about prefixes of the public Internet.
     */
    byte[] validate(VrpTable vrps) {
        byte[] codes = new byte[batch.eventCount()];
        RouteCursor event = batch.cursor();
        for (int i = 0; event.next(); i++) {
            if (event.kind() != EventKind.ANNOUNCE || !Family.isUnicast(event.family())) {
                continue;
            }
            long origin = AsPath.validatedOrigin(
                            path(event.attributeSet()),
                            batch.peer(event.peerIndex()).asn())
                    .orElse(0);
            NlriReader nlri = event.nlri();
            codes[i] = vrps.validate(
                            nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength(), (int) origin)
                    .code();
        }
        return codes;
    }

    /**
     * Returns the {@link AspaVerdict#code} of each event: 0 except for announcements that {@link PathVerification} is
     * about. A path is verified once for each peer and attribute set.
     */
    byte[] verify(AspaTable aspas) {
        byte[] codes = new byte[batch.eventCount()];
        byte[] @Nullable [] known = new byte[batch.peerCount()][];
        RouteCursor event = batch.cursor();
        for (int i = 0; event.next(); i++) {
            if (event.kind() != EventKind.ANNOUNCE || !PathVerification.isVerified(event.family())) {
                continue;
            }
            byte[] ofPeer = known[event.peerIndex()];
            if (ofPeer == null) {
                ofPeer = new byte[batch.attributeSetCount()];
                known[event.peerIndex()] = ofPeer;
            }
            int set = event.attributeSet();
            if (ofPeer[set] == 0) {
                ofPeer[set] = code(aspas, event.peerIndex(), set);
            }
            codes[i] = (byte) Math.max(ofPeer[set], 0);
        }
        return codes;
    }

    private byte code(AspaTable aspas, int peer, int set) {
        PeerEntry entry = batch.peer(peer);
        return PathVerification.isReceived(entry.view())
                ? PathVerification.verify(aspas, batch.neighborRole(peer), entry.asn(), path(set))
                        .map(AspaVerdict::code)
                        .orElse(NOT_VERIFIED)
                : NOT_VERIFIED;
    }

    private AsPath path(int set) {
        AsPath path = paths[set];
        if (path == null) {
            path = decode(set);
            paths[set] = path;
        }
        return path;
    }

    private AsPath decode(int set) {
        try {
            AsPath path = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))
                    .asPath();
            return path == null ? AsPath.EMPTY : path;
        } catch (DecodeException e) {
            return AsPath.EMPTY; // as in the other consumers, a set that cannot be decoded has no path
        }
    }
}
