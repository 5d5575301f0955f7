package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.net.Family;
import java.io.IOException;

/** Writes the family and the next hops of MP_REACH_NLRI and NEXT_HOP. */
final class NextHopJson {
    private NextHopJson() {}

    /** @param withoutAddress whether to omit the addresses */
    static void write(PathAttributes set, boolean withoutAddress, JsonGenerator json) throws IOException {
        boolean multiprotocol = set.has(AttributeCode.MP_REACH_NLRI);
        if (set.family().isPresent()) {
            json.writeStringField("family", Family.text(set.family().getAsInt()));
        }
        NextHop nextHop = set.nextHop();
        if (nextHop != null) {
            if (!withoutAddress) {
                nextHop.write(json);
            }
            int length = nextHop.raw().length();
            if (nextHop.isAddress() && (length == 12 || length == 24 || length == 48)) {
                json.writeStringField("next_hop_raw", nextHop.raw().hex());
            }
        } else if (multiprotocol) {
            json.writeNullField("next_hop");
        }
        NextHop legacy = set.legacyNextHop();
        if (legacy != null && multiprotocol) {
            json.writeStringField("next_hop_attribute", legacy.text());
        }
    }
}
