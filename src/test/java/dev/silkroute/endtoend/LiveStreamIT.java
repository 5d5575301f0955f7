package dev.silkroute.endtoend;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bgp;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.StationProcess.Outcome;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.view.RouteEvent;
import dev.silkroute.route.view.RouteEvents;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live stream of a station: server-sent events, RIS Live's protocol, and clients that do not read. */
class LiveStreamIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SUBSCRIBERS = 300;
    private static final int STALLED = 100;

    /** More than the JSON of the replayed capture, and less than that of the updates for stalled clients. */
    private static final int QUEUE_BYTES = 1 << 20;

    private static final int UPDATES = 1000;
    private static final int READING = 20;
    private static final int PEERS = 20;
    private static final int FLAPS = 10;

    @TempDir
    private static Path folder;

    private static StationProcess station;

    @BeforeAll
    static void start() {
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_LIVE_MAX_SUBSCRIBERS",
                        Integer.toString(SUBSCRIBERS),
                        "SILKROUTE_LIVE_QUEUE_BYTES",
                        Integer.toString(QUEUE_BYTES)),
                folder.resolve("data"));
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    /** A client of server-sent events on a socket that it reads when it is asked to. */
    private static final class Client implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader in;
        private final List<String> messages = new CopyOnWriteArrayList<>();
        private volatile long delivered;
        private volatile long missed;
        private volatile String lastId = "";

        /** @param receiveBuffer small for a client that is to stall soon */
        Client(String query, int receiveBuffer, String... headers) throws IOException {
            socket.setReceiveBufferSize(receiveBuffer);
            socket.connect(new InetSocketAddress("127.0.0.1", station.httpPort()));
            String request = "GET /api/v1/stream" + query + " HTTP/1.1\r\nHost: localhost\r\n"
                    + String.join(
                            "", Stream.of(headers).map(each -> each + "\r\n").toList()) + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1024);
            String line = in.readLine();
            assertThat(line).contains("200");
            while (!line.startsWith("retry:")) {
                line = in.readLine();
            }
        }

        /** Reads until the connection is closed. */
        Client reading(boolean keep) {
            Thread.ofVirtual().start(() -> {
                try {
                    String event = "";
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        if (line.startsWith("id: ")) {
                            lastId = line.substring(4);
                        } else if (line.startsWith("event: ")) {
                            event = line.substring(7);
                        } else if (line.startsWith("data: ")) {
                            count(event, line.substring(6), keep);
                        }
                    }
                } catch (IOException e) {
                    // closed
                }
            });
            return this;
        }

        private void count(String event, String data, boolean keep) throws IOException {
            if (event.equals("missed")) {
                missed += JSON.readTree(data).get("messages").asLong();
            } else {
                if (keep) {
                    messages.add(data);
                }
                delivered++;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A client of RIS Live. */
    private static final class RisClient implements WebSocket.Listener {
        private String filter = "";
        private WebSocket socket;
        private final List<JsonNode> received = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    received.add(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        void send(String type, String data) {
            socket.sendText("{\"type\":\"" + type + "\",\"data\":" + data + "}", true)
                    .join();
        }

        /** Waits until the station has processed what was sent before. */
        void awaitPong() {
            int pongs = ofType("pong").size();
            send("ping", "null");
            await().atMost(LIMIT).until(() -> ofType("pong").size() > pongs);
        }

        List<JsonNode> ofType(String type) {
            return received.stream()
                    .filter(message -> message.get("type").asText().equals(type))
                    .toList();
        }
    }

    /** Filters of RIS Live, each with what it selects from all messages. */
    private static Map<String, Predicate<JsonNode>> risFilters() {
        Map<String, Predicate<JsonNode>> filters = new LinkedHashMap<>();
        filters.put(
                "{'host':'frr-1','type':'RIS_PEER_STATE'}", has("host", "frr-1").and(has("type", "RIS_PEER_STATE")));
        filters.put("{'host':'nobody'}", has("host", "nobody"));
        filters.put("{'type':'UPDATE'}", has("type", "UPDATE"));
        filters.put("{'type':'OPEN','peer':'fd00:b3::15'}", has("type", "OPEN").and(has("peer", "fd00:b3::15")));
        filters.put("{'peer':'192.0.2.13'}", has("peer", "192.0.2.13"));
        filters.put(
                "{'prefix':'54.17.0.0/16'}",
                prefix(each -> IpPrefix.parse("54.17.0.0/16").covers(each)));
        filters.put("{'prefix':'54.17.0.0/17','moreSpecific':false}", prefix(IpPrefix.parse("54.17.0.0/17")::equals));
        filters.put(
                "{'prefix':'54.17.59.0/24','moreSpecific':false,'lessSpecific':true}",
                prefix(each -> each.covers(IpPrefix.parse("54.17.59.0/24"))));
        filters.put(
                "{'prefix':['100.96.2.0/28','2001:db8:a001::/64']}",
                prefix(each -> List.of("100.96.2.0/28", "2001:db8:a001::/64").contains(each.toString())));
        filters.put("{'path':'^65013,33703'}", path("\\[65013,33703,.*"));
        filters.put("{'path':'3356$'}", path(".*,3356]"));
        filters.put("{'path':'54824,15113'}", path(".*,54824,15113,.*"));
        filters.put("{'require':'announcements'}", message -> message.has("announcements"));
        filters.put("{'require':'withdrawals'}", message -> message.has("withdrawals"));
        return filters;
    }

    private static Predicate<JsonNode> has(String field, String value) {
        return message -> message.path(field).asText().equals(value);
    }

    private static Predicate<JsonNode> path(String pattern) {
        return message -> message.path("path").toString().matches(pattern);
    }

    private static Predicate<JsonNode> prefix(Predicate<IpPrefix> condition) {
        return message -> {
            List<String> prefixes = new ArrayList<>(message.findValuesAsText("prefix"));
            message.findValues("prefixes").forEach(list -> list.forEach(each -> prefixes.add(each.asText())));
            message.path("withdrawals").forEach(each -> prefixes.add(each.asText()));
            return prefixes.stream().map(IpPrefix::parse).anyMatch(condition);
        };
    }

    private static List<String> ids(Stream<JsonNode> messages) {
        return messages.map(message -> message.get("id").asText()).toList();
    }

    /** Connects a client of RIS Live and waits until its filter applies. @param filter with single quotation marks */
    private static RisClient subscribed(HttpClient http, String filter) throws IOException {
        RisClient client = new RisClient();
        client.filter = filter.replace('\'', '"');
        client.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + station.httpPort() + "/api/v1/ws"), client)
                .join();
        ObjectNode data = (ObjectNode) JSON.readTree(client.filter);
        data.putObject("socketOptions").put("acknowledge", true);
        client.send("ris_subscribe", data.toString());
        int subscriptions = data.path("prefix").isArray() ? data.path("prefix").size() : 1;
        await().atMost(LIMIT).until(() -> client.ofType("ris_subscribe_ok").size() == subscriptions);
        return client;
    }

    /** Identifies an event and its route. */
    private static String text(RouteEvent event) {
        return event.source().sessionId() + "-" + event.header().sequence() + " " + event.event() + " "
                + (event.route() == null ? "" : event.route().nlri());
    }

    /** Identifies the events of a message in the same way. */
    private static List<String> events(JsonNode message) {
        List<String> nlri = new ArrayList<>();
        if (message.has("routes")) {
            message.get("routes").forEach(route -> nlri.add(route.get("nlri").asText()));
        } else {
            message.path("announcements")
                    .forEach(group -> group.get("prefixes").forEach(prefix -> nlri.add(prefix.asText())));
            message.path("withdrawals").forEach(prefix -> nlri.add(prefix.asText()));
        }
        if (nlri.isEmpty()) {
            nlri.add("");
        }
        List<String> events = new ArrayList<>();
        for (String each : nlri) {
            events.add(message.get("session_id").asText() + "-"
                    + (message.get("sequence").asLong() + events.size()) + " "
                    + message.get("event").asText() + " " + each);
        }
        return events;
    }

    private static List<String> events(List<JsonNode> messages) {
        return messages.stream().flatMap(message -> events(message).stream()).toList();
    }

    /** Identifies the OPENs and NOTIFICATIONs that records of peers report, in the same way. */
    private static List<String> bgpMessages(List<ConsumerRecord<byte[], byte[]>> records) {
        List<String> messages = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            JsonNode peer = json(record.value());
            String id = peer.path("session_id").asText() + "-"
                    + peer.path("sequence").asText();
            if (peer.has("capabilities") && !peer.get("rib_view").asText().equals("loc-rib")) {
                messages.add(id + " open ");
                messages.add(id + " open ");
            } else if (peer.has("notification_code")) {
                messages.add(id + " notification ");
            }
        }
        return messages;
    }

    private static JsonNode json(byte[] value) {
        try {
            return JSON.readTree(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<JsonNode> parsed(Client client) {
        return client.messages.stream()
                .map(data -> {
                    try {
                        return JSON.readTree(data);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toList();
    }

    private static JsonNode withoutRaw(JsonNode message) {
        ObjectNode data = message.get("data").deepCopy();
        data.remove("raw");
        return data;
    }

    @Test
    void givenAReplayedSessionThenItsEventsAreStreamedAndRisLivesClientsReceiveTheirForm() throws Exception {
        RisClient ris = new RisClient();
        try (HttpClient http = HttpClient.newHttpClient();
                AutoCloseable _ = http::shutdownNow; // close() waits for the WebSocket
                Client sse = new Client("", 1 << 20).reading(true)) {
            WebSocket socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + station.httpPort() + "/api/v1/ws/?client=test"), ris)
                    .join();
            socket.sendText("{\"type\":\"ping\",\"data\":null}", true).join();
            socket.sendText("{\"type\":\"ris_subscribe\",\"data\":{\"path\":\"a\"}}", true)
                    .join();
            socket.sendText(
                            "{\"type\":\"ris_subscribe\",\"data\":{\"host\":\"\",\"socketOptions\":{\"acknowledge\":true,\"includeRaw\":true}}}",
                            true)
                    .join();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(ris.ofType("ris_subscribe_ok")).hasSize(1));
            assertThat(ris.ofType("ris_subscribe_ok")
                            .getFirst()
                            .at("/data/socketOptions/includeRaw")
                            .asBoolean())
                    .isTrue();
            assertThat(ris.ofType("pong")).hasSize(1);
            assertThat(ris.ofType("ris_error")
                            .getFirst()
                            .path("data")
                            .get("message")
                            .asText())
                    .contains("'a' is not a path pattern");

            Map<RisClient, Predicate<JsonNode>> filtered = new LinkedHashMap<>();
            for (Map.Entry<String, Predicate<JsonNode>> filter : risFilters().entrySet()) {
                filtered.put(subscribed(http, filter.getKey()), filter.getValue());
            }
            RisClient unsubscribed = subscribed(http, "{'host':'frr-1'}");
            unsubscribed.send("ris_unsubscribe", unsubscribed.filter);
            unsubscribed.awaitPong();
            filtered.put(unsubscribed, _ -> false);

            try (TestRouter router = TestRouter.connect(station.bmpPort(), "127.0.1.9")) {
                router.send(CaptureFiles.stream("frr-labeled"));
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(parsed(sse))
                            .anyMatch(message -> message.get("event").asText().equals("session-down")));
            List<RouteEvent> published = new ArrayList<>();
            station.records("bmp.routes")
                    .forEach(record -> new RouteEvents(RouteBatch.read(record.value()), VerdictCodes.NONE)
                            .forEachRemaining(published::add));
            published.removeIf(event -> event.header().kind() == EventKind.COLLECTOR_START);
            List<String> bgpMessages = bgpMessages(station.records("bmp.peers"));
            assertThat(bgpMessages).isNotEmpty();

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(events(parsed(sse)))
                            .containsExactlyInAnyOrderElementsOf(
                                    Stream.concat(published.stream().map(LiveStreamIT::text), bgpMessages.stream())
                                            .toList()));
            assertThat(sse.missed).isZero();
            assertThat(sse.messages).noneMatch(message -> message.contains(":null"));
            List<String> ofPeers = Stream.concat(
                            published.stream()
                                    .filter(event -> event.peer() != null)
                                    .map(LiveStreamIT::text),
                            bgpMessages.stream())
                    .toList();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(events(ris.ofType("ris_message").stream()
                                    .map(LiveStreamIT::withoutRaw)
                                    .toList()))
                            .containsExactlyInAnyOrderElementsOf(ofPeers));
            assertThat(ris.ofType("ris_message"))
                    .anyMatch(
                            message -> message.at("/data/raw").asText().startsWith("ffffffffffffffffffffffffffffffff"))
                    .allMatch(message -> message.at("/data/raw").isMissingNode()
                            || message.at("/data/type").asText().equals("UPDATE"));
            List<JsonNode> all = ris.ofType("ris_message").stream()
                    .map(message -> message.get("data"))
                    .toList();
            for (Map.Entry<RisClient, Predicate<JsonNode>> each : filtered.entrySet()) {
                RisClient client = each.getKey();
                client.awaitPong();
                List<String> expected = ids(all.stream().filter(each.getValue()));
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(ids(
                                        client.ofType("ris_message").stream().map(message -> message.get("data"))))
                                .as(client.filter)
                                .isEqualTo(expected));
                assertThat(expected.isEmpty())
                        .as(client.filter)
                        .isEqualTo(client == unsubscribed || client.filter.contains("nobody"));
                assertThat(expected).as(client.filter).hasSizeLessThan(all.size());
                client.socket.abort();
            }

            socket.sendText("{\"type\":\"request_rrc_list\",\"data\":null}", true)
                    .join();
            String host = ris.ofType("ris_message")
                    .getFirst()
                    .path("data")
                    .get("host")
                    .asText();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(ris.ofType("ris_rrc_list"))
                            .singleElement()
                            .satisfies(list -> assertThat(list.get("data"))
                                    .anyMatch(name -> name.asText().equals(host))));

            String first =
                    sse.lastId.replaceFirst("-.*", "-" + (Long.parseLong(sse.lastId.replaceFirst(".*-", "")) - 3));
            try (Client resumed = new Client("", 1 << 20, "Last-Event-ID: " + first).reading(true)) {
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThat(resumed.messages)
                                .containsExactlyElementsOf(
                                        sse.messages.subList(sse.messages.size() - 3, sse.messages.size())));
            }
            socket.abort();
        }
    }

    /** The two topics of the stream are read by one lane, which keeps the order of a peer's messages in each. */
    @Test
    void givenPeersThatGoUpAndDownThenTheirOpensAndNotificationsAreStreamedInOrder() throws Exception {
        List<String> peers =
                IntStream.range(0, PEERS).mapToObj(i -> "192.0.2." + (10 + i)).toList();
        RisClient ris = new RisClient();
        await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 0);
        long before = meter("silkroute_live_messages_published_total");
        try (HttpClient http = HttpClient.newHttpClient();
                AutoCloseable _ = http::shutdownNow;
                Client sse = new Client("?router=flapping", 1 << 20).reading(true);
                TestRouter router = TestRouter.connect(station.bmpPort(), "127.0.1.11")) {
            WebSocket socket = http.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://127.0.0.1:" + station.httpPort() + "/api/v1/ws"), ris)
                    .join();
            socket.sendText(
                            "{\"type\":\"ris_subscribe\",\"data\":{\"type\":\"NOTIFICATION\",\"peer\":\""
                                    + peers.getFirst() + "\",\"socketOptions\":{\"acknowledge\":true}}}",
                            true)
                    .join();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(ris.ofType("ris_subscribe_ok")).hasSize(1));
            router.send(initiation("flapping"));
            for (int i = 0; i < FLAPS; i++) {
                for (String peer : peers) {
                    byte[] administrativeShutdown = bgp(3, new byte[] {6, 2});
                    router.send(join(
                            peerUp(peer),
                            bmp(0, peerHeader(peer), update(new byte[0], attributes(), new byte[] {24, (byte) i, 7, 7
                            })),
                            bmp(
                                    2,
                                    peerHeader(peer),
                                    new byte[] {(byte) (i % 2 == 0 ? 1 : 3)},
                                    administrativeShutdown)));
                }
            }
            // The session; and of each peer each time its state twice, a route, two OPENs and a NOTIFICATION
            long published = 1 + 6L * FLAPS * PEERS;
            await().atMost(LIMIT).until(() -> meter("silkroute_live_messages_published_total") - before == published);
            await().atMost(LIMIT).until(() -> sse.delivered + sse.missed == published);
            assertThat(sse.missed).isZero();

            for (String peer : peers) {
                List<JsonNode> messages = parsed(sse).stream()
                        .filter(message -> message.path("peer").asText().equals(peer))
                        .toList();
                List<JsonNode> bgp = messages.stream()
                        .filter(message -> message.has("direction"))
                        .toList();
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < FLAPS; i++) {
                    expected.addAll(List.of(
                            "OPEN received", "OPEN sent", "NOTIFICATION " + (i % 2 == 0 ? "sent" : "received")));
                }
                assertThat(bgp)
                        .extracting(message -> message.get("type").asText() + " "
                                + message.get("direction").asText())
                        .containsExactlyElementsOf(expected);
                assertThat(bgp)
                        .extracting(message -> message.get("sequence").asLong())
                        .isSorted();
                assertThat(messages.stream().filter(message -> !message.has("direction")))
                        .extracting(message -> message.get("sequence").asLong())
                        .isSorted()
                        .doesNotHaveDuplicates()
                        .hasSize(3 * FLAPS);
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(ris.ofType("ris_message"))
                            .hasSize(FLAPS)
                            .allSatisfy(message -> assertThat(message.at("/data/notification"))
                                    .isEqualTo(JSON.readTree("{\"code\":6,\"subcode\":2}"))));
            socket.abort();
        }
    }

    @Test
    void givenStalledClientsThenDeliveredAndMissedMessagesAreThosePublished() throws Exception {
        List<Client> stalled = new ArrayList<>();
        List<Client> reading = new ArrayList<>();
        List<Client> filtered = new ArrayList<>();
        List<List<Client>> all = List.of(stalled, reading, filtered);
        await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 0);
        long before = meter("silkroute_live_messages_published_total");
        try (TestRouter router = TestRouter.connect(station.bmpPort(), "127.0.1.10")) {
            for (int i = 0; i < STALLED; i++) {
                stalled.add(new Client("", 4096));
            }
            for (int i = 0; i < READING; i++) {
                reading.add(new Client("", 1 << 20).reading(false));
            }
            for (int i = STALLED + READING; i < SUBSCRIBERS; i++) {
                filtered.add(new Client("?prefix=1.51." + i % 8 + ".0/24", 4096).reading(false));
            }
            assertThat(station.get("/api/v1/stream").statusCode()).isEqualTo(503);
            assertThat(station.get("/api/v1/stream").headers().firstValue("Retry-After"))
                    .isPresent();

            router.send(join(initiation("stalling"), peerUp("192.0.2.77")));
            byte[] communities = attribute(0xC0, 8, new byte[400]);
            for (int i = 0; i < UPDATES; i++) {
                router.send(monitoring(update(
                        new byte[0], join(attributes(), communities), new byte[] {24, (byte) (i >> 8), 51, (byte) i})));
            }
            // The session, the peer and its two OPENs are messages, too
            long published = UPDATES + 4;
            await().atMost(LIMIT).until(() -> meter("silkroute_live_messages_published_total") - before == published);

            assertThat(meter("silkroute_live_queued_bytes")).isBetween(1L, (long) SUBSCRIBERS * QUEUE_BYTES);
            for (List<Client> clients : List.of(reading, filtered)) {
                long expected = clients == reading ? published : 1;
                await().atMost(LIMIT)
                        .untilAsserted(() ->
                                assertThat(clients).allMatch(client -> client.delivered + client.missed == expected));
            }
            stalled.forEach(client -> client.reading(false));
            await().atMost(LIMIT)
                    .untilAsserted(() ->
                            assertThat(stalled).allMatch(client -> client.delivered + client.missed == published));
            assertThat(stalled).allMatch(client -> client.missed > 0);
            assertThat(filtered).allMatch(client -> client.missed == 0);
        } finally {
            for (List<Client> clients : all) {
                for (Client client : clients) {
                    client.close();
                }
            }
        }
        await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 0);
    }

    @Test
    void clientsThatCloseTheirConnectionsAreGoneThoughNoMessageIsForThem() throws Exception {
        await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 0);
        try (HttpClient http = HttpClient.newHttpClient()) {
            List<Client> streams = new ArrayList<>();
            List<WebSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                streams.add(new Client("?router=unknown", 4096));
                WebSocket socket = http.newWebSocketBuilder()
                        .buildAsync(URI.create("ws://127.0.0.1:" + station.httpPort() + "/api/v1/ws"), new RisClient())
                        .join();
                socket.sendText("{\"type\":\"ris_subscribe\",\"data\":{\"host\":\"unknown\"}}", true)
                        .join();
                sockets.add(socket);
            }
            await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 10);

            for (Client client : streams) {
                client.socket.setSoLinger(streams.indexOf(client) % 2 == 0, 0); // half of them by a reset
                client.close();
            }
            sockets.forEach(WebSocket::abort);

            await().atMost(LIMIT).until(() -> meter("silkroute_live_subscribers") == 0);
        }
    }

    private static long meter(String name) {
        return (long) station.meter(name).orElse(0);
    }

    @Test
    void invalidFiltersAreRejectedAndTheCommandReportsThem() {
        assertThat(station.get("/api/v1/stream?prefix=192.0.2.0/33").body()).contains("'192.0.2.0/33' is not a valid");
        assertThat(station.get("/api/v1/ws").statusCode()).isEqualTo(426);
        Outcome watch = StationProcess.command(
                "watch", "--peer", "nowhere", "--data-dir", station.directory().toString());
        assertThat(watch.exitCode()).isEqualTo(2);
        assertThat(watch.stderr()).startsWith("silkroute: 'nowhere' is not a valid");
    }
}
