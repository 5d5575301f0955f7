package dev.silkroute.rib;

/**
 * How many routes each AS originates, counted as routes come and go.
 *
 * <pre>
 * 0 AS number | 1 routes | 2 attribute sets
 * </pre>
 */
final class Origins {
    private static final int ASN = 0;
    private static final int ROUTES = 1;
    private static final int SETS = 2;
    private static final int WIDTH = 4;

    private final Records records;
    private final HashIndex index;

    Origins(Memory memory) {
        records = new Records(WIDTH, memory);
        index = new HashIndex(memory);
    }

    private static int hash(int asn) {
        return HashIndex.mix(asn * 0x9E3779B97F4A7C15L);
    }

    int find(int asn) {
        int hash = hash(asn);
        while (true) {
            long[] part = index.part(hash);
            long version = HashIndex.version(part);
            int slot = HashIndex.home(part, hash);
            for (int probes = part.length; probes > 0; probes--) {
                long entry = HashIndex.slot(part, slot);
                if (entry == 0) {
                    break;
                }
                if (HashIndex.hasHash(entry, hash) && records.get(HashIndex.id(entry), ASN) == asn) {
                    return HashIndex.id(entry);
                }
                slot = HashIndex.after(part, slot);
            }
            if (index.unchanged(hash, part, version)) {
                return 0;
            }
        }
    }

    /** The counter for another set of this origin. */
    int join(int asn) {
        int origin = find(asn);
        if (origin == 0) {
            origin = records.claim();
            records.set(origin, ASN, asn);
            records.set(origin, ROUTES, 0);
            records.set(origin, SETS, 0);
            index.add(hash(asn), origin);
        }
        records.set(origin, SETS, records.get(origin, SETS) + 1);
        return origin;
    }

    /** @return whether that was the last set, so that the counter is to be freed */
    boolean leave(int origin) {
        int sets = records.get(origin, SETS) - 1;
        records.set(origin, SETS, sets);
        if (sets > 0) {
            return false;
        }
        index.remove(hash(records.get(origin, ASN)), origin);
        return true;
    }

    void release(int origin) {
        records.release(origin);
    }

    void count(int origin, int routes) {
        records.publish(origin, ROUTES, records.get(origin, ROUTES) + routes);
    }

    /** Loads where a counter is found. @return not to be looked at */
    int touch(int asn) {
        return index.touch(hash(asn));
    }

    /** Loads some counters, 0 being none. @return not to be looked at */
    int load(int[] some, int count) {
        int touched = 0;
        for (int i = 0; i < count; i++) {
            touched += some[i] == 0 ? 0 : records.get(some[i], ROUTES);
        }
        return touched;
    }

    int asn(int origin) {
        return records.get(origin, ASN);
    }

    /**
     * Routes of an origin, those of peers included that have gone down and are being swept. Asked outside of sections, which would cost more than
     * the counter: a record that has become another's meanwhile says so, and then the origin had none.
     */
    int routes(int asn) {
        int origin = find(asn);
        if (origin == 0) {
            return 0;
        }
        int routes = records.read(origin, ROUTES);
        return records.read(origin, ASN) == asn ? routes : 0;
    }

    int size() {
        return index.size();
    }

    boolean room() {
        return records.room(1);
    }

    long segmentBytes() {
        return records.segmentBytes();
    }
}
