package dev.silkroute.app.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.live.Delivery;
import dev.silkroute.live.Delivery.Message;
import dev.silkroute.live.Delivery.Missed;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.live.LiveStream;
import dev.silkroute.live.Subscriber;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrameType;
import io.vertx.core.http.impl.ws.WebSocketFrameImpl;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A client of RIS Live's protocol on a WebSocket. Its requests are processed one after the other; while one is, or
 * while the client does not read, no further request is read.
 */
final class RisLiveConnection extends LiveConnection {
    private static final Logger LOGGER = Logger.getLogger(RisLiveConnection.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Vert.x splits longer messages into frames of this size, its default. */
    private static final int MAX_FRAME_BYTES = 65_536;

    private final ServerWebSocket socket;
    private final RouterNames routers;
    private @Nullable Subscriber own;
    private boolean acknowledge;

    /** The time of the first ping since the last answer, of {@link System#nanoTime}; 0 without one. */
    private long unansweredSince;

    RisLiveConnection(LiveStream stream, Context context, ServerWebSocket socket, RouterNames routers) {
        super(stream, context, socket);
        this.socket = socket;
        this.routers = routers;
    }

    @Override
    void start(Subscriber made) {
        own = made;
        if (isOpen()) {
            socket.textMessageHandler(this::request);
            socket.pongHandler(_ -> unansweredSince = 0);
        }
        super.start(made);
    }

    private void request(String text) {
        socket.pause();
        String type = "";
        try {
            JsonNode request = JSON.readTree(text);
            type = request.path("type").asText();
            JsonNode data = request.path("data");
            switch (type) {
                case "ris_subscribe" -> subscribe(data);
                case "ris_unsubscribe" -> unsubscribe(data);
                case "request_rrc_list" -> routerList();
                case "ping" -> answer(message("pong").putNull("data"));
                default ->
                    error("'" + type + "' is not a type of message: use ris_subscribe, ris_unsubscribe,"
                            + " request_rrc_list or ping");
            }
        } catch (JsonProcessingException e) {
            error("the message is not JSON: " + e.getOriginalMessage());
        } catch (IllegalArgumentException e) {
            error(type + ": " + e.getMessage());
        }
    }

    private void subscribe(JsonNode data) {
        Subscriber subscriber = own;
        if (subscriber == null) {
            return;
        }
        List<LiveFilter> filters = RisFilters.of(data);
        JsonNode options = data.path("socketOptions");
        if (!options.isMissingNode()) {
            acknowledge = options.path("acknowledge").asBoolean(false);
            subscriber.includeRaw(options.path("includeRaw").asBoolean(false));
        }
        blocking(() -> stream().add(subscriber, filters)).onComplete(added -> {
            if (!Boolean.TRUE.equals(added.result())) {
                error("too many filters on this connection (silkroute.live.max-filters)");
            } else if (acknowledge) {
                RisFilters.subscriptions(data).forEach(subscription -> {
                    ObjectNode ok = message("ris_subscribe_ok");
                    ObjectNode accepted = ok.putObject("data");
                    accepted.set("subscription", subscription);
                    accepted.putObject("socketOptions")
                            .put("acknowledge", true)
                            .put("includeRaw", subscriber.includesRaw());
                    answer(ok);
                });
            } else {
                resume();
            }
        });
    }

    private void unsubscribe(JsonNode data) {
        Subscriber subscriber = own;
        if (subscriber == null) {
            return;
        }
        List<LiveFilter> filters = RisFilters.of(data);
        blocking(() -> {
                    stream().remove(subscriber, filters);
                    return true;
                })
                .onComplete(_ -> resume());
    }

    private void routerList() {
        blocking(routers::list).onComplete(list -> {
            if (list.failed()) {
                LOGGER.warnf("The routers could not be listed: %s", list.cause().getMessage());
                error("the list of routers is unavailable");
            } else {
                ObjectNode response = message("ris_rrc_list");
                list.result().forEach(response.putArray("data")::add);
                answer(response);
            }
        });
    }

    private static ObjectNode message(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private void error(String message) {
        ObjectNode error = message("ris_error");
        error.putObject("data").put("message", message);
        answer(error);
    }

    private void answer(ObjectNode message) {
        if (isOpen()) {
            socket.writeTextMessage(message.toString());
            resume();
        }
    }

    private void resume() {
        if (isOpen() && !socket.writeQueueFull()) {
            socket.resume();
        }
    }

    @Override
    boolean isOpen() {
        return !socket.isClosed();
    }

    @Override
    void write(Delivery delivery) {
        switch (delivery) {
            case Message message -> writeText(message.text(own != null && own.includesRaw()));
            case Missed missed -> {
                ObjectNode error = message("ris_error");
                error.putObject("data")
                        .put("message", "missed " + missed.messages() + " messages because the client reads too slowly")
                        .put("missed", missed.messages());
                socket.writeTextMessage(error.toString());
            }
        }
    }

    /** Writes a text message from its bytes, which Vert.x's own method for texts would copy four times. */
    private void writeText(byte[] text) {
        if (text.length <= MAX_FRAME_BYTES) {
            socket.writeFrame(new WebSocketFrameImpl(WebSocketFrameType.TEXT, text, true));
        } else {
            socket.writeTextMessage(new String(text, StandardCharsets.UTF_8));
        }
    }

    @Override
    void flush() {
        socket.resume();
    }

    @Override
    void onStalled() {
        socket.pause();
    }

    @Override
    Future<Void> heartbeat() {
        if (unansweredSince == 0) {
            unansweredSince = System.nanoTime();
        }
        return socket.writePing(Buffer.buffer());
    }

    /** A client answers pings while it reads, and one whose network is lost does not (RFC 6455, Section 5.5.2). */
    @Override
    long unansweredSince() {
        return unansweredSince;
    }

    @Override
    void end() {
        socket.close();
    }

    /** Lists the names of routers. */
    @FunctionalInterface
    interface RouterNames {
        List<String> list() throws SQLException;
    }
}
