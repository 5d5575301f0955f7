package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Family;
import dev.silkroute.net.JsonText;

/** What MP_REACH_NLRI and NEXT_HOP leave in a set: the family and where the routes lead. */
final class NextHopJson {
    private NextHopJson() {}

    /** @param withoutAddress leaves out the address, and the link-local one beside it */
    static void write(PathAttributes set, JsonText json, boolean withoutAddress) {
        boolean multiprotocol = set.has(AttributeCode.MP_REACH_NLRI);
        set.family().ifPresent(family -> json.field("family", Family.text(family)));
        NextHop nextHop = set.nextHop();
        if (nextHop != null) {
            if (!withoutAddress) {
                json.field("next_hop", nextHop.text());
                if (nextHop.hasLinkLocal()) {
                    json.field("next_hop_link_local", nextHop.linkLocalText());
                }
            }
            int length = nextHop.raw().length();
            if (nextHop.isAddress() && (length == 12 || length == 24 || length == 48)) {
                json.field("next_hop_raw", nextHop.raw().hex());
            }
        } else if (multiprotocol) {
            json.name("next_hop").json("null");
        }
        NextHop legacy = set.legacyNextHop();
        if (legacy != null && multiprotocol) {
            json.field("next_hop_attribute", legacy.text());
        }
    }
}
