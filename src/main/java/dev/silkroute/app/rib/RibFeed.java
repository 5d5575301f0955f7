package dev.silkroute.app.rib;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.rib.Rib;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.quarkus.arc.Unremovable;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import javax.sql.DataSource;
import org.apache.camel.spi.Metadata;

/** The feed of the RIB. */
@Singleton
@Named("ribFeed")
@Metadata(description = "The offsets up to which the RIB has applied bmp.routes: option offsets of lane: and rib:")
@Unremovable
public final class RibFeed extends StateFeed {
    RibFeed(Rib rib, DataSource database, KafkaAccess access) {
        super(new Target(rib), database, access);
    }

    @Override
    @PreDestroy
    protected void stop() {
        super.stop();
    }

    /** The RIB, as the target of a state. */
    private record Target(Rib rib) implements StateTarget {
        @Override
        public String name() {
            return "RIB";
        }

        @Override
        public void clear() {
            rib.clear();
        }

        @Override
        public long routes() {
            return rib.size();
        }

        @Override
        public void batch(RouteBatch batch) {
            rib.apply(batch);
        }

        @Override
        public void newestSession(String router, PeerEntry peer, long session) {
            rib.observeSession(router, peer, session);
        }

        @Override
        public void endOfRib(String router, PeerEntry peer, int family, long session) {
            rib.observeEndOfRib(router, peer, family, session);
        }

        @Override
        public void invalidRows(String router, PeerEntry peer, long rows) {
            rib.observeMissing(router, peer, rows);
        }
    }
}
