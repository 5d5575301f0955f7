package dev.silkroute.rib;

/**
 * Size and shape of a RIB.
 *
 * @param shards parts with a writer each; more than there are cores for writers help nobody
 * @param bytes bound of all memory that routes, keys, attributes and indexes take, by what is reserved for them
 * @param tables most tables (one for each peer, view and family) that there may be
 * @param slice least routes of peers that went down, or of older sessions, that each batch takes away on the way
 */
public record RibConfig(int shards, long bytes, int tables, int slice) {
    /** What a shard needs to begin with. */
    public static final long LEAST_BYTES_PER_SHARD = 16L << 20;

    public RibConfig {
        if (shards < 1 || shards > 64) {
            throw new IllegalArgumentException(shards + " shards");
        }
        if (bytes / shards < LEAST_BYTES_PER_SHARD) {
            throw new IllegalArgumentException(bytes + " bytes for " + shards + " shards");
        }
        if (tables < 1 || tables > 1 << 24 || slice < 1) {
            throw new IllegalArgumentException(tables + " tables, slices of " + slice);
        }
    }

    /** One shard. */
    public static RibConfig ofBytes(long bytes) {
        return new RibConfig(1, bytes, 1 << 20, 1024);
    }
}
