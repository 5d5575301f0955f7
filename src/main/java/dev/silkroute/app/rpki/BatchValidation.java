package dev.silkroute.app.rpki;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.rpki.Validity;
import dev.silkroute.rpki.VrpTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates the announcements of a batch. The path is decoded once for each attribute set. */
final class BatchValidation {
    private static final AsPath EMPTY = new AsPath(List.of());

    private BatchValidation() {}

    /**
     * Returns the {@link Validity#code} of each event: 0 except for announcements of unicast and labelled unicast
     * routes, because VRPs are about prefixes of the public Internet.
     */
    static byte[] validate(RouteBatch batch, VrpTable vrps) {
        byte[] codes = new byte[batch.eventCount()];
        @Nullable AsPath[] paths = new AsPath[batch.attributeSetCount()];
        RouteCursor event = batch.cursor();
        for (int i = 0; event.next(); i++) {
            if (event.kind() != EventKind.ANNOUNCE || !Family.isUnicast(event.family())) {
                continue;
            }
            int set = event.attributeSet();
            AsPath path = paths[set];
            if (path == null) {
                path = path(batch, set);
                paths[set] = path;
            }
            long origin = AsPath.validatedOrigin(
                            path, batch.peer(event.peerIndex()).asn())
                    .orElse(0);
            NlriReader nlri = event.nlri();
            codes[i] = vrps.validate(
                            nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength(), (int) origin)
                    .code();
        }
        return codes;
    }

    private static AsPath path(RouteBatch batch, int set) {
        try {
            AsPath path = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))
                    .asPath();
            return path == null ? EMPTY : path;
        } catch (DecodeException e) {
            return EMPTY; // as in the other consumers, a set that cannot be decoded has no path
        }
    }
}
