package dev.silkroute.digest;

import dev.silkroute.net.BigEndian;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A sketch of a set of routes (invertible Bloom lookup table). Its size does not depend on the number of routes. The
 * difference of two sketches yields the hashes of the routes that are in one of the two sets only, if these are at most
 * about two thirds of its cells; otherwise a larger sketch is needed.
 *
 * <p>Each route is added to four cells that its hash determines, one in each quarter of the table. A cell has the
 * number of its routes, and the hashes of all of them combined by XOR:
 *
 * <pre>
 * i32 routes | u32 check | i64 hashes of routes | i64 hashes of keys
 *
 * a cell with one route, whose hash is 0x9A3C51E7D2B4F601 and whose key's hash is 0x21:
 * 00000001 62A1F7C3 9A3C51E7D2B4F601 0000000000000021
 * </pre>
 *
 * In the difference of two sketches, a cell whose number is 1 or -1 and whose check is that of its hash contains one
 * route. Removing it from its other cells leaves more such cells, until none is left.
 *
 * <p>Source: Eppstein, Goodrich, Uyeda and Varghese, "What's the Difference? Efficient Set Reconciliation without Prior
 * Context" (2011).
 */
public final class Sketch {
    /** Number of cells that each route is added to. */
    private static final int HASHES = 4;

    public static final int CELL_BYTES = 24;
    public static final int MIN_CELLS = 16;
    public static final int MAX_CELLS = 1 << 15;

    private final int cells;
    private final int[] counts;
    private final int[] checks;
    private final long[] routes;
    private final long[] keys;

    /** @throws IllegalArgumentException if the number is not a multiple of 4 between the bounds */
    public Sketch(int cells) {
        if (cells < MIN_CELLS || cells > MAX_CELLS || cells % HASHES != 0) {
            throw new IllegalArgumentException(
                    "must be a multiple of " + HASHES + " from " + MIN_CELLS + " to " + MAX_CELLS + ", not " + cells);
        }
        this.cells = cells;
        counts = new int[cells];
        checks = new int[cells];
        routes = new long[cells];
        keys = new long[cells];
    }

    public int cells() {
        return cells;
    }

    /**
     * Adds a route by its hash and that of its key. Both come from a {@link RouteHasher}, so they are evenly
     * distributed.
     */
    public void add(long route, long key) {
        add(route, key, 1);
    }

    private void add(long route, long key, int times) {
        int check = check(route);
        for (int i = 0; i < HASHES; i++) {
            int cell = cell(route, i);
            counts[cell] += times;
            checks[cell] ^= check;
            routes[cell] ^= route;
            keys[cell] ^= key;
        }
    }

    /** Each cell is chosen by other 16 bits of the hash. */
    private int cell(long route, int index) {
        int quarter = cells / HASHES;
        return index * quarter + ((int) (route >>> 16 * index & 0xFFFF) * quarter >>> 16);
    }

    /** The hash of several hashes combined by XOR must not be that of one: the multiplication mixes their bits. */
    private static int check(long route) {
        long mixed = (route ^ route >>> 32) * 0xD6E8FEB86659FD93L;
        return (int) ((mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L >>> 32);
    }

    /**
     * Returns the routes that are in one of the two sets only; empty if there are too many of them for the size.
     *
     * @param there of the same size
     */
    public Optional<List<RouteDifference>> differences(Sketch there) {
        return minus(there).peel();
    }

    private Sketch minus(Sketch other) {
        if (cells != other.cells) {
            throw new IllegalArgumentException("sketches of " + cells + " and " + other.cells + " cells");
        }
        Sketch difference = new Sketch(cells);
        for (int i = 0; i < cells; i++) {
            difference.counts[i] = counts[i] - other.counts[i];
            difference.checks[i] = checks[i] ^ other.checks[i];
            difference.routes[i] = routes[i] ^ other.routes[i];
            difference.keys[i] = keys[i] ^ other.keys[i];
        }
        return difference;
    }

    private Optional<List<RouteDifference>> peel() {
        List<RouteDifference.Side> found = new ArrayList<>();
        Deque<Integer> candidates = new ArrayDeque<>();
        for (int i = 0; i < cells; i++) {
            candidates.add(i);
        }
        while (!candidates.isEmpty()) {
            int cell = candidates.remove();
            if (!containsOne(cell)) {
                continue;
            }
            if (found.size() == cells) {
                return Optional.empty(); // more than any two sketches can yield
            }
            long route = routes[cell];
            long key = keys[cell];
            int count = counts[cell];
            found.add(new RouteDifference.Side(key, route, count > 0));
            add(route, key, -count);
            for (int i = 0; i < HASHES; i++) {
                candidates.add(cell(route, i));
            }
        }
        return isEmpty() ? Optional.of(RouteDifference.join(found)) : Optional.empty();
    }

    private boolean containsOne(int cell) {
        return Math.abs(counts[cell]) == 1
                && checks[cell] == check(routes[cell])
                && cell(routes[cell], cell / (cells / HASHES)) == cell;
    }

    private boolean isEmpty() {
        return Arrays.stream(counts).allMatch(count -> count == 0)
                && Arrays.stream(routes).allMatch(hashes -> hashes == 0)
                && Arrays.stream(keys).allMatch(hashes -> hashes == 0);
    }

    public byte[] toBytes() {
        byte[] bytes = new byte[cells * CELL_BYTES];
        for (int i = 0; i < cells; i++) {
            int at = i * CELL_BYTES;
            BigEndian.putU32(bytes, at, counts[i]);
            BigEndian.putU32(bytes, at + 4, checks[i]);
            BigEndian.putI64(bytes, at + 8, routes[i]);
            BigEndian.putI64(bytes, at + 16, keys[i]);
        }
        return bytes;
    }

    /** @throws IllegalArgumentException if these are not the bytes of a sketch */
    public static Sketch of(byte[] bytes) {
        if (bytes.length % CELL_BYTES != 0) {
            throw new IllegalArgumentException(bytes.length + " bytes are not a whole number of cells");
        }
        Sketch sketch = new Sketch(bytes.length / CELL_BYTES);
        for (int i = 0; i < sketch.cells; i++) {
            int at = i * CELL_BYTES;
            sketch.counts[i] = BigEndian.i32(bytes, at);
            sketch.checks[i] = BigEndian.i32(bytes, at + 4);
            sketch.routes[i] = BigEndian.i64(bytes, at + 8);
            sketch.keys[i] = BigEndian.i64(bytes, at + 16);
        }
        return sketch;
    }
}
