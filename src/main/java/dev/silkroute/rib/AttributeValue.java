package dev.silkroute.rib;

import dev.silkroute.rib.index.AttributeIndex.Wanted;
import dev.silkroute.rib.index.IndexedAttribute;
import dev.silkroute.rib.store.CanonicalSet;

/** A value of a path attribute by which routes can be found, see {@link RibScans#candidates}. */
public final class AttributeValue {
    final Wanted wanted;

    private AttributeValue(IndexedAttribute attribute, int value) {
        wanted = new Wanted(attribute, value);
    }

    /** @param asn read unsigned */
    public static AttributeValue originAs(int asn) {
        return new AttributeValue(IndexedAttribute.ORIGIN_AS, asn);
    }

    /** @param asn read unsigned */
    public static AttributeValue inAsPath(int asn) {
        return new AttributeValue(IndexedAttribute.AS_PATH, asn);
    }

    public static AttributeValue community(int community) {
        return new AttributeValue(IndexedAttribute.COMMUNITY, community);
    }

    public static AttributeValue largeCommunity(int global, int local1, int local2) {
        return new AttributeValue(
                IndexedAttribute.LARGE_COMMUNITY, CanonicalSet.largeCommunityHash(global, local1, local2));
    }
}
