package dev.silkroute.app.web.read;

import dev.silkroute.app.config.StationConfig;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.Vertx;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.SQLException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The page whose rest the current request still has to send. It is closed when the request ends, although nothing asks
 * for the rest of a response to HEAD. A client that does not read loses its connection, so that it cannot keep the
 * page, which has a connection to PostgreSQL, open.
 */
@RequestScoped
class OpenPage {
    private static final Logger LOGGER = Logger.getLogger(OpenPage.class);

    private final Vertx vertx;
    private final CurrentVertxRequest request;
    private final long stallMillis;
    private @Nullable Page page;

    @Inject
    OpenPage(Vertx vertx, CurrentVertxRequest request, StationConfig config) {
        this.vertx = vertx;
        this.request = request;
        stallMillis = config.http().stallTimeout().toMillis();
    }

    /** Takes over a page, which is closed with the request at the latest. */
    void hold(Page unfinished) {
        page = unfinished;
    }

    /**
     * Sends the rest of the page and closes it. Blocks while the client does not read.
     *
     * @param begin its first part, which has been read already
     * @param partChars how much the client has to read within the stall timeout
     */
    void send(ByteArrayOutputStream begin, OutputStream out, long partChars) throws IOException {
        var rest = page;
        if (rest == null) {
            throw new IllegalStateException("there is no page");
        }
        var response = request.getCurrent().response();
        long timer = vertx.setTimer(stallMillis, _ -> response.close());
        try {
            begin.writeTo(out);
            while (!rest.write(out, partChars)) {
                vertx.cancelTimer(timer);
                timer = vertx.setTimer(stallMillis, _ -> response.close());
            }
        } catch (SQLException e) {
            throw new IOException(e);
        } finally {
            vertx.cancelTimer(timer);
            close();
        }
    }

    @PreDestroy
    void close() {
        var open = page;
        page = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                LOGGER.debug("A connection to PostgreSQL was lost before its transaction ended", e);
            }
        }
    }
}
