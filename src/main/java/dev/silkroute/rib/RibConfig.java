package dev.silkroute.rib;

/**
 * Size and shape of a RIB.
 *
 * @param shards number of parts with a writer thread each; more than the cores available for writers are of no use
 * @param bytes limit of the memory reserved for routes, keys, attributes and the indexes by which they are found
 * @param tables maximum number of tables (one per peer, view and family)
 * @param purgeBatch number of routes that each batch purges, at least
 * @param indexBytes limit of the memory of indexes of attributes, which queries make; 0 for none
 */
public record RibConfig(int shards, long bytes, int tables, int purgeBatch, long indexBytes) {
    /** The minimum memory of a shard. */
    public static final long MIN_BYTES_PER_SHARD = 16L << 20;

    private static final int INDEX_SHARE = 3;

    public RibConfig {
        if (shards < 1 || shards > 64) {
            throw new IllegalArgumentException("shards must be 1 to 64, not " + shards);
        }
        if (bytes / shards < MIN_BYTES_PER_SHARD) {
            throw new IllegalArgumentException(
                    bytes + " bytes are too few for " + shards + " shards: each needs " + MIN_BYTES_PER_SHARD);
        }
        if (tables < 1 || tables > 1 << 24) {
            throw new IllegalArgumentException("tables must be 1 to " + (1 << 24) + ", not " + tables);
        }
        if (purgeBatch < 1) {
            throw new IllegalArgumentException("purgeBatch must be positive, not " + purgeBatch);
        }
        if (indexBytes < 0) {
            throw new IllegalArgumentException("indexBytes must not be negative: " + indexBytes);
        }
    }

    /** A configuration whose indexes of attributes may have a third of {@code bytes}. */
    public RibConfig(int shards, long bytes, int tables, int purgeBatch) {
        this(shards, bytes, tables, purgeBatch, bytes / INDEX_SHARE);
    }

    /** The same with another limit of the memory of indexes of attributes. */
    public RibConfig withIndexBytes(long limit) {
        return new RibConfig(shards, bytes, tables, purgeBatch, limit);
    }

    /** A configuration with one shard. */
    public static RibConfig ofBytes(long bytes) {
        return new RibConfig(1, bytes, 1 << 20, 1024);
    }
}
