package dev.silkroute.digest;

import dev.silkroute.bgp.RibView;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects tables: those that meet all conditions that are not null.
 *
 * @param peer a peer's address in canonical form
 * @param tables hashes of {@link RouteHasher#table}; empty for all tables
 */
public record TableSelection(
        @Nullable String router,
        @Nullable String peer,
        @Nullable RibView view,
        @Nullable Integer family,
        Set<Long> tables) {
    public static final TableSelection ALL = new TableSelection(null, null, null, null, Set.of());

    public TableSelection {
        tables = Set.copyOf(tables);
    }

    /** Selects one table. */
    public static TableSelection of(TableName table, RouteHasher hasher) {
        return new TableSelection(
                table.router(), table.address(), table.view(), table.family(), Set.of(hasher.table(table)));
    }

    public boolean selects(TableName name, RouteHasher hasher) {
        return (router == null || router.equals(name.router()))
                && (peer == null || peer.equals(name.address()))
                && (view == null || view == name.view())
                && (family == null || family == name.family())
                && (tables.isEmpty() || tables.contains(hasher.table(name)));
    }
}
