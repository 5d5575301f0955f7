package dev.silkroute.app.live;

import dev.silkroute.live.Delivery;
import dev.silkroute.live.Delivery.Message;
import dev.silkroute.live.Delivery.Missed;
import dev.silkroute.live.LiveStream;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;

/**
 * A client of server-sent events. The id of an event is {@code STREAM-POSITION}, by which the client resumes; an event
 * {@code missed} has the id of the last message that was missed, so that resuming does not count it again.
 */
final class SseConnection extends LiveConnection {
    private static final int WRITE_BYTES = 16 << 10;

    private final HttpServerResponse response;
    private final boolean includesRaw;
    private Buffer buffer = Buffer.buffer();

    SseConnection(LiveStream stream, Context context, HttpServerResponse response, boolean includesRaw) {
        super(stream, context, response);
        this.response = response;
        this.includesRaw = includesRaw;
    }

    @Override
    boolean isOpen() {
        return !response.closed();
    }

    @Override
    void write(Delivery delivery) {
        buffer.appendString("id: " + stream().id() + "-" + delivery.position() + "\n");
        switch (delivery) {
            case Message message ->
                buffer.appendString("event: ris_message\ndata: ")
                        .appendBytes(message.data(includesRaw))
                        .appendString("\n\n");
            case Missed missed -> {
                String messages = missed.messages() == 0 ? "" : ",\"messages\":" + missed.messages();
                buffer.appendString(
                        "event: missed\ndata: {\"cause\":\"" + missed.cause().text() + "\"" + messages + "}\n\n");
            }
        }
        if (buffer.length() >= WRITE_BYTES) {
            flush();
        }
    }

    @Override
    void flush() {
        if (buffer.length() > 0) {
            response.write(buffer);
            buffer = Buffer.buffer();
        }
    }

    /** A comment line. */
    @Override
    Future<Void> heartbeat() {
        return response.write(":\n");
    }

    @Override
    void end() {
        response.reset();
    }
}
