package dev.silkroute.app.alert;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.rib.FeedTarget;
import dev.silkroute.app.rib.StateFeed;
import javax.sql.DataSource;

/** The offsets up to which the alerts have evaluated a topic besides {@code bmp.routes}. */
final class FurtherFeed extends StateFeed {
    FurtherFeed(FeedTarget target, DataSource database, KafkaAccess access) {
        super(target, database, access);
    }

    @Override
    protected synchronized void loadAgain() {
        super.loadAgain();
    }

    @Override
    protected void stop() {
        super.stop();
    }
}
