package dev.silkroute.app.live;

import dev.silkroute.live.LiveStream;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.WireFormatException;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import io.quarkus.arc.Unremovable;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import org.apache.camel.Exchange;
import org.apache.camel.Message;
import org.apache.camel.spi.Metadata;
import org.jboss.logging.Logger;

/**
 * The bean {@code livePublisher} of routes: publishes the records of {@code bmp.routes} and {@code bmp.peers} in an
 * exchange, and those of {@code bmp.alerts}: of a batching consumer, whose body is a list of exchanges, or else the
 * body as one.
 */
@Singleton
@Named("livePublisher")
@Metadata(
        description =
                "Publishes records of bmp.routes and bmp.peers, or with the method publishAlerts those of bmp.alerts, to the subscribers of the live stream: both methods take the exchange")
@Unremovable
public final class LivePublisher {
    private static final Logger LOGGER = Logger.getLogger(LivePublisher.class);

    private final LiveStream stream;

    LivePublisher(LiveStream stream) {
        this.stream = stream;
    }

    public void publish(Exchange exchange) {
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            for (Object record : records) {
                publish(((Exchange) record).getMessage());
            }
        } else {
            publish(exchange.getMessage());
        }
    }

    /** Publishes records of {@code bmp.alerts}. */
    public void publishAlerts(Exchange exchange) {
        if (exchange.getMessage().getBody() instanceof List<?> records) {
            for (Object record : records) {
                publishAlert(((Exchange) record).getMessage());
            }
        } else {
            publishAlert(exchange.getMessage());
        }
    }

    private void publishAlert(Message record) {
        byte[] bytes = record.getBody(byte[].class);
        if (bytes != null) {
            stream.publishAlert(bytes);
        }
    }

    private void publish(Message record) {
        byte[] bytes = record.getBody(byte[].class);
        if (bytes == null || bytes.length == 0) {
            return; // a record without a value contains no events
        }
        if (bytes[0] == '{') { // a route batch begins with another byte
            publishPeerRecord(bytes);
            return;
        }
        try {
            RouteBatch batch = RouteBatch.read(bytes);
            stream.publish(
                    batch,
                    VerdictCodes.of(record.getHeader(Validity.HEADER), record.getHeader(AspaVerdict.HEADER), batch));
        } catch (WireFormatException e) {
            // The history lane reads the same record and puts it into quarantine
            LOGGER.warnf(
                    "Skipped a record of bmp.routes that is not a route batch: %s at byte %d", e.reason(), e.offset());
        }
    }

    private void publishPeerRecord(byte[] record) {
        try {
            stream.publishPeerRecord(record);
        } catch (IOException | RuntimeException e) {
            // The lane of peer events reads the same record and puts it into quarantine
            LOGGER.warnf("Skipped a record of bmp.peers that is not valid: %s", e.getMessage());
        }
    }
}
