package dev.silkroute.rib;

/**
 * Size and shape of a RIB.
 *
 * @param shards number of parts with a writer thread each; more than the cores available for writers are of no use
 * @param bytes limit of the memory reserved for routes, keys, attributes and indexes
 * @param tables maximum number of tables (one per peer, view and family)
 * @param slice number of routes that each batch purges, at least
 */
public record RibConfig(int shards, long bytes, int tables, int slice) {
    /** The minimum memory of a shard. */
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

    /** A configuration with one shard. */
    public static RibConfig ofBytes(long bytes) {
        return new RibConfig(1, bytes, 1 << 20, 1024);
    }
}
