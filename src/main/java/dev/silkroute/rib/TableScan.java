package dev.silkroute.rib;

import dev.silkroute.rib.apply.Shard;
import dev.silkroute.rib.peer.Table;
import dev.silkroute.rib.store.RouteRecords;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Scans all routes of some tables, one page per step. */
final class TableScan extends RouteScan {
    /** A table, and its pages when the scan began. */
    record Part(Shard shard, Table table, int[] pages) {
        static Part of(Shard shard, Table table) {
            return new Part(shard, table, table.pages());
        }
    }

    private final Rib rib;
    private final List<Part> parts;
    private int part;
    private int position;
    private final int lastPart;
    private final int lastPosition;

    TableScan(Rib rib, List<Part> parts) {
        this(rib, parts, 0, 0, parts.size(), 0);
    }

    private TableScan(Rib rib, List<Part> parts, int part, int position, int lastPart, int lastPosition) {
        this.rib = rib;
        this.parts = parts;
        this.part = part;
        this.position = position;
        this.lastPart = lastPart;
        this.lastPosition = lastPosition;
    }

    /**
     * Moves past tables whose pages have all been visited.
     *
     * @return whether there is a page to visit
     */
    private boolean atPage() {
        while (part < lastPart && position >= parts.get(part).pages.length) {
            part++;
            position = 0;
        }
        return part < lastPart || part == lastPart && position < lastPosition;
    }

    @Override
    public boolean advance(Consumer<RouteView> each) {
        if (!atPage()) {
            return false;
        }
        Part now = parts.get(part);
        RibReader reader = rib.borrowReader();
        try {
            reader.page(now.shard, now.table, now.pages, position++, each);
        } finally {
            rib.release(reader);
        }
        return true;
    }

    @Override
    public long skip(long most) {
        long skipped = 0;
        RibReader reader = rib.borrowReader();
        try (RibReader.Section section = reader.enter()) {
            while (atPage()) {
                Part now = parts.get(part);
                int page = now.pages[position];
                RouteRecords routes = now.shard.stores.routes;
                int here = page <= 0 ? 0 : Long.bitCount(routes.live(page, now.table));
                if (skipped + here > most) {
                    break;
                }
                skipped += here;
                position++;
            }
        } finally {
            rib.release(reader);
        }
        return skipped;
    }

    @Override
    public @Nullable RouteScan split() {
        if (part == lastPart) {
            int half = (lastPosition - position) / 2;
            return half < 8 ? null : splitAt(part, position + half);
        }
        if (lastPart - part > 1) {
            return splitAt(part + (lastPart - part) / 2, 0);
        }
        int half = (parts.get(part).pages.length - position) / 2;
        return half < 8 ? null : splitAt(part, position + half);
    }

    private RouteScan splitAt(int toPart, int toPosition) {
        TableScan before = new TableScan(rib, parts, part, position, toPart, toPosition);
        part = toPart;
        position = toPosition;
        return before;
    }

    @Override
    public long estimate() {
        long routes = 0;
        for (int i = part; i < lastPart; i++) {
            routes += parts.get(i).table.routes.get();
        }
        return routes + (lastPosition << RouteRecords.PAGE_SHIFT);
    }
}
