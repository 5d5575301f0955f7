package dev.silkroute.rib;

/** How many routes each AS originates, counted as routes come and go. */
final class Origins {
    private final HashIndex counts;

    Origins(Memory memory) {
        counts = new HashIndex(memory);
    }

    /** Another one for each AS number, so that it stands for it: each step can be undone. */
    private static int hash(int asn) {
        int h = (asn ^ asn >>> 16) * 0x7FEB352D;
        h = (h ^ h >>> 15) * 0x846CA68B;
        return h ^ h >>> 16;
    }

    void count(int asn, int routes) {
        counts.count(hash(asn), routes);
    }

    /** Loads where a count is. @return not to be looked at */
    int touch(int asn) {
        return counts.touch(hash(asn));
    }

    /** Routes of an origin, those of peers included that have gone down and are being swept. */
    int routes(int asn) {
        int hash = hash(asn);
        while (true) {
            long[] part = counts.part(hash);
            long version = HashIndex.version(part);
            int slot = HashIndex.home(part, hash);
            for (int probes = part.length; probes > 0; probes--) {
                long entry = HashIndex.slot(part, slot);
                if (entry == 0) {
                    break;
                }
                if (HashIndex.hasHash(entry, hash)) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.after(part, slot);
            }
            if (counts.unchanged(hash, part, version)) {
                return 0;
            }
        }
    }
}
