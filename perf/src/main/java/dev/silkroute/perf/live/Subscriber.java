package dev.silkroute.perf.live;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A client of RIS Live's WebSocket, which counts what it receives and what the station reports as missed. */
final class Subscriber implements WebSocket.Listener, AutoCloseable {
    private static final Pattern MISSED = Pattern.compile("\"missed\":(\\d+)");

    private final boolean stalls;
    private final Consumer<String> messages;
    private final StringBuilder text = new StringBuilder();
    private final CountDownLatch acknowledged = new CountDownLatch(1);
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong missed = new AtomicLong();
    private final WebSocket socket;
    private volatile boolean reads = true;

    /**
     * Connects and subscribes.
     *
     * @param filter members of the subscription, such as {@code "prefix":"192.0.2.0/24"}; empty for all messages
     * @param stalls whether it does not read any more when it is subscribed, until {@link #resume}
     * @param messages receives the messages
     */
    Subscriber(HttpClient client, String httpUrl, String filter, boolean stalls, Consumer<String> messages)
            throws InterruptedException {
        this.stalls = stalls;
        this.messages = messages;
        socket = client.newWebSocketBuilder()
                .buildAsync(URI.create(httpUrl.replaceFirst("http", "ws") + "/api/v1/ws"), this)
                .join();
        socket.sendText(
                        "{\"type\":\"ris_subscribe\",\"data\":{" + filter + (filter.isEmpty() ? "" : ",")
                                + "\"socketOptions\":{\"acknowledge\":true,\"includeRaw\":true}}}",
                        true)
                .join();
        acknowledged.await();
    }

    @Override
    public void onOpen(WebSocket opened) {
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            accept(text.toString());
            text.setLength(0);
        }
        if (reads) {
            from.request(1);
        }
        return null;
    }

    private void accept(String message) {
        if (message.startsWith("{\"type\":\"ris_message\"")) {
            received.incrementAndGet();
            messages.accept(message);
        } else if (message.startsWith("{\"type\":\"ris_error\"")) {
            Matcher matcher = MISSED.matcher(message);
            if (matcher.find()) {
                missed.addAndGet(Long.parseLong(matcher.group(1)));
            }
        } else if (message.startsWith("{\"type\":\"ris_subscribe_ok\"")) {
            reads = !stalls;
            acknowledged.countDown();
        }
    }

    /** Reads again. */
    void resume() {
        if (!reads) {
            reads = true;
            socket.request(1);
        }
    }

    long received() {
        return received.get();
    }

    long missed() {
        return missed.get();
    }

    @Override
    public void close() {
        socket.abort();
    }
}
