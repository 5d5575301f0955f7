package dev.silkroute.perf.postgres;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Iterates over the announcements and withdrawals of records, for arms of other projects. */
public final class Events {
    private Events() {}

    /** One event; valid during the call only. */
    @FunctionalInterface
    public interface Visitor {
        /** @param attributes null for a withdrawal; decoded once for all events of a record that share them */
        void event(RouteBatch batch, RouteCursor event, @Nullable PathAttributes attributes) throws SQLException;
    }

    public static void forEach(List<byte[]> records, Visitor visitor) throws SQLException {
        for (byte[] record : records) {
            RouteBatch batch = RouteBatch.read(record);
            @Nullable PathAttributes[] sets = new PathAttributes[batch.attributeSetCount()];
            RouteCursor event = batch.cursor();
            while (event.next()) {
                if (event.kind() == EventKind.ANNOUNCE || event.kind() == EventKind.WITHDRAW) {
                    visitor.event(batch, event, attributes(batch, event.attributeSet(), sets));
                }
            }
        }
    }

    private static @Nullable PathAttributes attributes(RouteBatch batch, int set, @Nullable PathAttributes[] sets) {
        if (set < 0) {
            return null;
        }
        PathAttributes known = sets[set];
        if (known == null) {
            try {
                known = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
            } catch (DecodeException e) {
                throw new IllegalStateException(e);
            }
            sets[set] = known;
        }
        return known;
    }
}
