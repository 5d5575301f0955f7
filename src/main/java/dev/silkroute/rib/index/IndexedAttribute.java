package dev.silkroute.rib.index;

import dev.silkroute.rib.store.CanonicalSet;
import java.util.function.IntConsumer;

/** The path attributes whose values are indexed, as 32 bits each. */
public enum IndexedAttribute {
    /** The origin AS of a route. */
    ORIGIN_AS {
        @Override
        void forEach(byte[] set, int from, int to, IntConsumer value) {
            long origin = CanonicalSet.origin(set, from, to);
            if (origin >= 0) {
                value.accept((int) origin);
            }
        }
    },
    /** The AS numbers of the path, in all its segments. */
    AS_PATH {
        @Override
        void forEach(byte[] set, int from, int to, IntConsumer value) {
            CanonicalSet.forEachAsn(set, from, to, value);
        }
    },
    COMMUNITY {
        @Override
        void forEach(byte[] set, int from, int to, IntConsumer value) {
            CanonicalSet.forEachCommunity(set, from, to, value);
        }
    },
    /** Keyed hashes of large communities. */
    LARGE_COMMUNITY {
        @Override
        void forEach(byte[] set, int from, int to, IntConsumer value) {
            CanonicalSet.forEachLargeCommunity(set, from, to, value);
        }
    };

    /** Visits the values in the canonical bytes of an attribute set; one that occurs more than once may be repeated. */
    abstract void forEach(byte[] set, int from, int to, IntConsumer value);
}
