package dev.silkroute.component.rib;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies batches and, while it is started, purges the RIB once each second on a thread of its own. */
final class ApplyProducer extends RibProducer {
    private static final Logger LOGGER = LoggerFactory.getLogger(ApplyProducer.class);

    private final Purge purge;
    private @Nullable ScheduledExecutorService timer;

    ApplyProducer(RibEndpoint endpoint, Apply apply, Purge purge) {
        super(endpoint, apply);
        this.purge = purge;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        timer = getEndpoint()
                .getCamelContext()
                .getExecutorServiceManager()
                .newSingleThreadScheduledExecutor(this, "rib-purge");
        timer.scheduleWithFixedDelay(this::purge, 1, 1, TimeUnit.SECONDS);
    }

    private void purge() {
        try {
            purge.run();
        } catch (RuntimeException e) {
            LOGGER.warn("Purging the RIB failed, the next attempt is in one second: {}", e.toString());
        }
    }

    @Override
    protected void doStop() throws Exception {
        if (timer != null) {
            getEndpoint().getCamelContext().getExecutorServiceManager().shutdownGraceful(timer);
            timer = null;
        }
        super.doStop();
    }
}
