package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.index.AttributeIndex;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.RouteRecords;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Scans blocks of routes. The routes of some blocks and their attributes are loaded together before they are visited,
 * so that their cache misses overlap.
 */
final class BlockScan extends RouteScan {
    /** The number of blocks visited in one section. */
    private static final int BLOCKS = 32;

    private static final int PER_BLOCK = AttributeIndex.ROUTES_PER_BLOCK;
    private static final int PER_PAGE = 1 << RouteRecords.PAGE_SHIFT;

    private final Rib rib;
    private final List<RouteCandidates.Part> parts;
    private final Predicate<RibTable> which;
    private int part;
    private int position;

    private final int[] routes = new int[BLOCKS * PER_BLOCK];
    private final int[] attributes = new int[BLOCKS * PER_BLOCK];
    private final Table[] tables = new Table[BLOCKS * PER_BLOCK];
    private int count;
    private int page;
    private @Nullable Table table;
    private final RouteView view = new RouteView();

    @SuppressWarnings("unused") // written so that the JIT compiler cannot eliminate the prefetching loads
    private int loaded;

    BlockScan(Rib rib, List<RouteCandidates.Part> parts, Predicate<RibTable> which) {
        this.rib = rib;
        this.parts = parts;
        this.which = which;
    }

    @Override
    public boolean advance(Consumer<RouteView> each) {
        while (part < parts.size() && position == parts.get(part).blocks().length) {
            part++;
            position = 0;
        }
        if (part == parts.size()) {
            return false;
        }
        Shard shard = parts.get(part).shard();
        int[] blocks = parts.get(part).blocks();
        int to = Math.min(blocks.length, position + BLOCKS);
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            load(shard, blocks, position, to);
            for (int i = 0; i < count; i++) {
                view.moveTo(shard, shard.stores.keys(tables[i].family), routes[i], tables[i]);
                each.accept(view);
            }
        } finally {
            rib.release(reader);
        }
        position = to;
        return true;
    }

    private void load(Shard shard, int[] blocks, int from, int to) {
        RouteRecords records = shard.stores.routes;
        int touched = 0;
        for (int i = from; i < to; i++) {
            touched += records.live(blocks[i] * PER_BLOCK / PER_PAGE, 0);
            touched += records.data.get(blocks[i] * PER_BLOCK, RouteRecords.KEY);
        }
        count = 0;
        page = 0;
        for (int i = from; i < to; i++) {
            add(shard, blocks[i]);
        }
        records.attributes(routes, count, attributes);
        loaded = touched + shard.stores.attributes.touchHeads(attributes, count);
    }

    /** Adds the live routes of a block, if its table is among those wanted. */
    private void add(Shard shard, int block) {
        int first = block * PER_BLOCK;
        if (page != RouteRecords.page(first)) {
            page = RouteRecords.page(first);
            Table owner = shard.stores.routes.table(page, shard.stores.tables);
            table = owner != null && which.test(owner) ? owner : null;
        }
        Table of = table;
        long live = of == null ? 0 : shard.stores.routes.live(page, of) >>> first % PER_PAGE;
        for (long left = live & (1 << PER_BLOCK) - 1; left != 0; left &= left - 1) {
            routes[count] = first + Long.numberOfTrailingZeros(left);
            tables[count++] = of;
        }
    }
}
