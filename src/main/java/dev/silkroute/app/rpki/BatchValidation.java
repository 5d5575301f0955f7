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
import java.util.Arrays;

/** Validates the announcements of a batch. Allocates nothing for a route; the path is decoded once for each set. */
final class BatchValidation {
    /** The origin of a set whose path has not been decoded yet. */
    private static final int UNKNOWN = -1;

    private BatchValidation() {}

    /**
     * Returns the {@link Validity#code} of each event: 0 except for announcements of unicast and labelled unicast
     * routes, because VRPs are about prefixes of the public Internet.
     */
    static byte[] validate(RouteBatch batch, VrpTable vrps) {
        byte[] codes = new byte[batch.eventCount()];
        long[] origins = new long[batch.attributeSetCount()];
        Arrays.fill(origins, UNKNOWN);
        RouteCursor event = batch.cursor();
        for (int i = 0; event.next(); i++) {
            if (event.kind() != EventKind.ANNOUNCE || !Family.isUnicast(event.family())) {
                continue;
            }
            int set = event.attributeSet();
            if (origins[set] == UNKNOWN) {
                origins[set] = origin(batch, set);
            }
            NlriReader nlri = event.nlri();
            codes[i] = vrps.validate(
                            nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength(), (int) origins[set])
                    .code();
        }
        return codes;
    }

    /** Returns the AS that originated the route, unsigned; 0 if the path is empty or ends with a set. */
    private static long origin(RouteBatch batch, int set) {
        try {
            AsPath path = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))
                    .asPath();
            return path == null ? 0 : path.originAsn().orElse(0);
        } catch (DecodeException e) {
            return 0; // as in the other consumers, a set that cannot be decoded has no path
        }
    }
}
