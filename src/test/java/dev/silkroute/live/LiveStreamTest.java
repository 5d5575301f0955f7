package dev.silkroute.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.live.Delivery.Cause;
import dev.silkroute.live.Delivery.Message;
import dev.silkroute.live.Delivery.Missed;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.route.EventCodes;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.view.RouteEvents;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class LiveStreamTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> CAPTURES = Captures.NAMES;
    private static final LiveFilter ALL = LiveFilter.parse(Map.of(), false);
    private static final int LARGE = 1 << 30;

    /** Fields of a message that follow from others, or that only RIS Live has. */
    private static final List<String> RIS_ONLY = List.of(
            "timestamp",
            "peer",
            "id",
            "host",
            "type",
            "state",
            "path",
            "community",
            "aggregator",
            "announcements",
            "withdrawals",
            "routes");

    private static LiveStream stream(int queueBytes) {
        return new LiveStream("0f", new LiveLimits(400, 10, queueBytes, 64 << 20));
    }

    private static Subscriber subscribe(LiveStream stream, LiveFilter... filters) {
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        assertThat(stream.add(subscriber, List.of(filters))).isTrue();
        return subscriber;
    }

    private static List<Delivery> poll(Subscriber subscriber) {
        List<Delivery> deliveries = new ArrayList<>();
        for (Delivery next = subscriber.poll(); next != null; next = subscriber.poll()) {
            deliveries.add(next);
        }
        return deliveries;
    }

    private static ObjectNode json(Delivery delivery) {
        try {
            return (ObjectNode) JSON.readTree(((Message) delivery).data(false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<ObjectNode> messages(Subscriber subscriber) {
        return poll(subscriber).stream().map(LiveStreamTest::json).toList();
    }

    /** Returns the events of a message in the form of {@code route.schema.json}. */
    private static List<JsonNode> events(ObjectNode message) {
        List<ObjectNode> routes = new ArrayList<>();
        if (message.has("routes")) {
            message.path("routes").forEach(route -> routes.add((ObjectNode) route));
        } else {
            List<JsonNode> prefixes = new ArrayList<>();
            message.path("announcements")
                    .forEach(group -> group.path("prefixes").forEach(prefixes::add));
            message.path("withdrawals").forEach(prefixes::add);
            prefixes.forEach(prefix -> routes.add(
                    JSON.createObjectNode().<ObjectNode>set("prefix", prefix).set("nlri", prefix)));
            if (routes.isEmpty()) {
                routes.add(JSON.createObjectNode());
            }
        }
        List<JsonNode> events = new ArrayList<>();
        for (ObjectNode route : routes) {
            ObjectNode event = message.deepCopy().setAll(route);
            if (message.has("peer")) {
                event.set("peer_address", message.get("peer"));
                event.put("peer_asn", message.get("peer_asn").asLong());
            }
            event.put("sequence", message.get("sequence").asLong() + events.size());
            RIS_ONLY.forEach(event::remove);
            events.add(event);
        }
        return events;
    }

    private static List<JsonNode> events(RouteBatch batch) throws IOException {
        List<JsonNode> events = new ArrayList<>();
        for (Iterator<dev.silkroute.route.view.RouteEvent> each = new RouteEvents(batch, VerdictCodes.NONE);
                each.hasNext(); ) {
            events.add(JSON.readTree(each.next().json()));
        }
        return events;
    }

    @ParameterizedTest
    @FieldSource("CAPTURES")
    void givenARealSessionThenTheMessagesAreItsEvents(String capture) throws IOException {
        RouteBatch batch = Captures.batch(capture);
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);

        stream.publish(batch, VerdictCodes.NONE);

        List<ObjectNode> messages = messages(subscriber);
        assertThat(messages).hasSize(batch.groupCount());
        List<JsonNode> streamed = new ArrayList<>();
        for (ObjectNode message : messages) {
            for (JsonNode event : events(message)) {
                streamed.add(JSON.readTree(event.toString()));
            }
        }
        List<JsonNode> expected = events(batch);
        assertThat(streamed.size()).isEqualTo(expected.size());
        for (int i = 0; i < expected.size(); i++) {
            assertThat(streamed.get(i)).isEqualTo(expected.get(i));
        }
    }

    /** The sets of attributes are equal byte for byte, so that both messages mean the same. */
    @ParameterizedTest
    @FieldSource("CAPTURES")
    void theRawUpdateOfAMessageHasItsRoutesAndAttributes(String capture) throws Exception {
        RouteBatch batch = Captures.batch(capture);
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);
        subscriber.includeRaw(true);

        stream.publish(batch, VerdictCodes.NONE);

        UpdateDecoder decoder = new UpdateDecoder();
        RouteCursor events = batch.cursor();
        boolean more = events.next();
        int updates = 0;
        for (Delivery delivery : poll(subscriber)) {
            EventKind kind = events.kind();
            int family = events.family();
            int set = events.attributeSet();
            ByteSink nlri = new ByteSink();
            int count = 0;
            do {
                if (kind.isRoute()) {
                    nlri.bytes(
                            batch.bytes(), events.nlri().from(), events.nlri().to());
                    count++;
                }
                more = events.next();
            } while (more && !events.startsGroup());
            Message message = (Message) delivery;
            ObjectNode data = (ObjectNode) JSON.readTree(message.data(true));
            JsonNode raw = data.remove("raw");
            assertThat(JSON.readTree(message.data(false))).isEqualTo(data);
            if (family == 0 || !kind.isRoute() && kind != EventKind.END_OF_RIB) {
                assertThat(raw).isNull();
                assertThat(message.text(false)).isSameAs(message.text(true));
                continue;
            }
            assertThat(JSON.readTree(message.text(true)).at("/data/raw")).isEqualTo(raw);
            assertThat(JSON.readTree(message.text(false)).get("data")).isEqualTo(data);
            byte[] update = HexFormat.of().parseHex(raw.asText());
            decoder.decode(update, 0, update.length, UpdateContext.strict(true, AddPathFamilies.NONE));
            assertThat(decoder.endOfRib()).isEqualTo(kind == EventKind.END_OF_RIB);
            if (kind.isRoute()) {
                assertThat(decoder.sections()).isEqualTo(1);
                assertThat(decoder.family(0)).isEqualTo(family);
                assertThat(decoder.announces(0)).isEqualTo(kind == EventKind.ANNOUNCE);
                assertThat(decoder.count(0)).isEqualTo(count);
                assertThat(Arrays.copyOfRange(update, decoder.from(0), decoder.to(0)))
                        .isEqualTo(nlri.toByteArray());
            }
            if (kind == EventKind.ANNOUNCE) {
                ByteSink attributes = new ByteSink();
                decoder.writeAttributes(0, attributes);
                assertThat(attributes.toByteArray())
                        .isEqualTo(
                                Arrays.copyOfRange(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set)));
            }
            updates++;
        }
        assertThat(more).isFalse();
        assertThat(updates).isPositive();
    }

    /** What RIS Live's readers require, such as that of bgpkit-parser. */
    @ParameterizedTest
    @FieldSource("CAPTURES")
    void givenASubscriberOfRisLiveThenItsFieldsHaveRisLivesForms(String capture) {
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, LiveFilter.parse(Map.of(), true));

        stream.publish(Captures.batch(capture), VerdictCodes.NONE);

        Set<String> types = new HashSet<>();
        for (ObjectNode message : messages(subscriber)) {
            types.add(message.get("type").asText());
            assertThat(message.get("timestamp").isNumber()).isTrue();
            InetAddress.ofLiteral(message.get("peer").asText());
            assertThat(message.get("peer_asn").isTextual()).isTrue();
            assertThat(Long.parseLong(message.get("peer_asn").asText())).isBetween(0L, 0xFFFFFFFFL);
            assertThat(message.get("id").isTextual()).isTrue();
            assertThat(message.get("host").asText())
                    .isNotEmpty()
                    .isEqualTo(message.get("router").asText());
            message.path("path")
                    .forEach(element -> assertThat(
                                    element.isArray() ? element.get(0).isNumber() : element.isNumber())
                            .isTrue());
            message.path("community")
                    .forEach(pair -> assertThat(pair).hasSize(2).allMatch(JsonNode::isInt));
            for (JsonNode announcement : message.path("announcements")) {
                InetAddress.ofLiteral(announcement.get("next_hop").asText());
                assertThat(announcement.get("prefixes")).isNotEmpty();
                announcement.get("prefixes").forEach(prefix -> IpPrefix.parse(prefix.asText()));
            }
            message.path("withdrawals").forEach(prefix -> IpPrefix.parse(prefix.asText()));
        }
        assertThat(types).containsExactlyInAnyOrder("UPDATE", "RIS_PEER_STATE");
    }

    @Test
    void givenManyFiltersThenTheIndexFindsWhatTryingAllOfThemFinds() {
        Random random = new Random(20_261_125);
        List<RouteBatch> batches = CAPTURES.stream().map(Captures::batch).toList();
        LiveStream stream = stream(LARGE);
        Subscriber all = subscribe(stream, ALL);
        batches.forEach(batch -> stream.publish(batch, VerdictCodes.NONE));
        List<ObjectNode> messages = messages(all);
        List<List<IpPrefix>> prefixes =
                messages.stream().map(LiveStreamTest::prefixes).toList();
        List<Map<String, String>> conditions = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            conditions.add(randomConditions(messages.get(random.nextInt(messages.size())), random));
        }
        List<Subscriber> subscribers = conditions.stream()
                .map(each -> subscribe(stream, LiveFilter.parse(each, false)))
                .toList();

        batches.forEach(batch -> stream.publish(batch, VerdictCodes.NONE));

        // The subscribers share the messages, each of which is read once
        Map<byte[], String> ids = new IdentityHashMap<>();
        int matched = 0;
        for (int i = 0; i < subscribers.size(); i++) {
            Map<String, String> filter = conditions.get(i);
            List<String> expected = IntStream.range(0, messages.size())
                    .filter(m -> matches(filter, messages.get(m), prefixes.get(m)))
                    .mapToObj(m -> messages.get(m).get("id").asText())
                    .toList();
            assertThat(poll(subscribers.get(i)).stream()
                            .map(delivery -> ids.computeIfAbsent(
                                    ((Message) delivery).text(),
                                    _ -> json(delivery).get("id").asText())))
                    .as(filter.toString())
                    .containsExactlyElementsOf(expected);
            matched += expected.size();
        }
        assertThat(matched).isGreaterThan(1_000);
        assertThat(stream.counters().encoded()).isEqualTo(2L * messages.size());
    }

    private static Map<String, String> randomConditions(ObjectNode message, Random random) {
        Map<String, String> conditions = new HashMap<>();
        List<IpPrefix> prefixes = prefixes(message);
        if (!prefixes.isEmpty() && random.nextInt(3) > 0) {
            IpPrefix prefix = prefixes.get(random.nextInt(prefixes.size()));
            int bits = prefix.ipv6() ? 128 : 32;
            int length = Math.clamp(prefix.length() + random.nextInt(-6, 7), 0, bits);
            conditions.put("prefix", prefix.toString().replaceFirst("/.*", "/" + length));
            conditions.put("moreSpecific", Boolean.toString(random.nextBoolean()));
            conditions.put("lessSpecific", Boolean.toString(random.nextBoolean()));
        }
        for (String[] key : new String[][] {
            {"host", "host"}, {"peer", "peer"}, {"view", "rib_view"}, {"type", "type"}, {"family", "family"}
        }) {
            if (message.has(key[1]) && random.nextInt(3) == 0) {
                conditions.put(key[0], message.get(key[1]).asText());
            }
        }
        if (message.has("origin_asn") && random.nextInt(3) == 0) {
            conditions.put("path", message.get("origin_asn").asText() + "$");
        }
        if (random.nextInt(4) == 0) {
            conditions.put("require", random.nextBoolean() ? "announcements" : "withdrawals");
        }
        return conditions;
    }

    private static List<IpPrefix> prefixes(ObjectNode message) {
        List<JsonNode> prefixes = new ArrayList<>();
        message.path("announcements").path(0).path("prefixes").forEach(prefixes::add);
        message.path("withdrawals").forEach(prefixes::add);
        if (!message.has("announcements") && !message.has("withdrawals")) {
            message.findValues("routes")
                    .forEach(routes -> routes.forEach(route -> prefixes.addAll(route.findValues("prefix"))));
        }
        return prefixes.stream().map(prefix -> IpPrefix.parse(prefix.asText())).toList();
    }

    /** A filter, evaluated on the JSON of a message. */
    private static boolean matches(Map<String, String> filter, ObjectNode message, List<IpPrefix> prefixes) {
        boolean more = Boolean.parseBoolean(filter.get("moreSpecific"));
        boolean less = Boolean.parseBoolean(filter.get("lessSpecific"));
        IpPrefix wanted = filter.containsKey("prefix") ? IpPrefix.parse(filter.get("prefix")) : null;
        return (wanted == null
                        || prefixes.stream()
                                .anyMatch(prefix -> prefix.equals(wanted)
                                        || more && contains(wanted, prefix)
                                        || less && contains(prefix, wanted)))
                && isEqual(filter, "host", message, "host")
                && isEqual(filter, "peer", message, "peer")
                && isEqual(filter, "view", message, "rib_view")
                && isEqual(filter, "type", message, "type")
                && isEqual(filter, "family", message, "family")
                && (!filter.containsKey("require") || message.has(filter.get("require")))
                && (!filter.containsKey("path")
                        || (message.path("path")
                                                .path(message.path("path").size() - 1)
                                                .asText() + "$")
                                .equals(filter.get("path")));
    }

    private static boolean isEqual(Map<String, String> filter, String key, ObjectNode message, String field) {
        return !filter.containsKey(key)
                || filter.get(key).equals(message.path(field).asText());
    }

    private static boolean contains(IpPrefix outer, IpPrefix inner) {
        int bits = outer.length();
        return outer.ipv6() == inner.ipv6()
                && bits <= inner.length()
                && (outer.ipv6()
                        ? Addresses.maskHigh(inner.high(), bits) == outer.high()
                                && Addresses.maskLow(inner.low(), bits) == outer.low()
                        : Addresses.maskIpv4((int) inner.low(), bits) == (int) outer.low());
    }

    @Test
    void givenStalledSubscribersThenWhatIsDeliveredAndMissedIsWhatWasPublished() {
        int bound = 20_000;
        RouteBatch batch = Captures.batch("frr-all");
        LiveStream stream = stream(bound);
        AtomicInteger wakeUps = new AtomicInteger();
        Subscriber stalled = Objects.requireNonNull(stream.subscribe(wakeUps::incrementAndGet));
        stream.add(stalled, List.of(ALL));
        Subscriber slow = subscribe(stream, ALL);
        Random random = new Random(7);
        List<Delivery> slowly = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            stream.publish(batch, VerdictCodes.NONE);
            for (int polls = random.nextInt(60); polls > 0; polls--) {
                Delivery next = slow.poll();
                if (next != null) {
                    slowly.add(next);
                }
            }
            assertThat(stalled.queuedBytes()).isLessThanOrEqualTo(bound);
            assertThat(slow.queuedBytes()).isLessThanOrEqualTo(bound);
        }
        long published = stream.counters().published();
        assertThat(published).isEqualTo(20L * batch.groupCount());
        long encoded = stream.counters().encoded();
        slowly.addAll(poll(slow));
        List<Delivery> late = poll(stalled);

        assertThat(late.getLast()).isInstanceOf(Missed.class);
        assertThat(wakeUps).hasValue(1);
        for (List<Delivery> deliveries : List.of(late, slowly)) {
            long expected = 0;
            for (Delivery delivery : deliveries) {
                expected += delivery instanceof Missed missed ? missed.messages() : 1;
                assertThat(delivery.position()).isEqualTo(expected);
            }
            assertThat(expected).isEqualTo(published);
        }
        assertThat(slowly.stream().filter(Missed.class::isInstance)).hasSizeGreaterThan(1);
        assertThat(encoded).isLessThan(published);
        LiveCounters counters = stream.counters();
        assertThat(counters.matched()).isEqualTo(2 * published);
        assertThat(counters.delivered() + counters.missed()).isEqualTo(2 * published);

        stream.publish(batch, VerdictCodes.NONE);
        assertThat(wakeUps).hasValue(2);
        stream.leave(slow);
        poll(stalled);
        assertThat(counters.discarded()).isPositive();
        assertThat(counters.delivered() + counters.missed() + counters.discarded())
                .isEqualTo(counters.matched());
    }

    /** A stream finds that no queue takes messages, and before it counts the message the connection polls the gap. */
    @Test
    void changesOfAlertsAreForFiltersOfTheirType() {
        LiveStream stream = stream(LARGE);
        Subscriber all = subscribe(stream, ALL);
        Subscriber websocket = subscribe(stream, LiveFilter.parse(Map.of("type", "ALERT"), true));
        Subscriber alerts = subscribe(stream, alerts());
        Map<Subscriber, Boolean> selected = new HashMap<>();
        selected.put(subscribe(stream, alerts("prefix", "192.0.2.0/23")), true);
        selected.put(subscribe(stream, alerts("prefix", "192.0.2.0/23", "moreSpecific", "false")), false);
        selected.put(subscribe(stream, alerts("prefix", "192.0.2.128/25")), false);
        selected.put(subscribe(stream, alerts("prefix", "192.0.2.128/25", "lessSpecific", "true")), true);
        selected.put(subscribe(stream, alerts("prefix", "192.0.2.0/24")), true);
        selected.put(subscribe(stream, alerts("prefix", "2001:db8::/32")), false);
        selected.put(subscribe(stream, alerts("router", "edge-1", "peer", "198.51.100.1")), true);
        selected.put(subscribe(stream, alerts("router", "edge-2")), false);
        selected.put(subscribe(stream, alerts("peer", "198.51.100.2")), false);

        stream.publishAlert(alert("192.0.2.0/24"));

        assertThat(poll(all)).isEmpty();
        assertThat(poll(websocket)).isEmpty();
        List<Delivery> received = poll(alerts);
        assertThat(new String(((Message) received.getFirst()).data(false), StandardCharsets.UTF_8))
                .startsWith("{\"timestamp\":1764065520.000001,\"type\":\"ALERT\",\"event\":\"opened\",");
        selected.forEach(
                (subscriber, isSelected) -> assertThat(poll(subscriber)).hasSize(isSelected ? 1 : 0));

        long position = received.getFirst().position();
        stream.publish(Captures.batch("frr-all"), VerdictCodes.NONE);
        stream.publishAlert(alert("198.51.100.0/24"));
        Subscriber resumed = Objects.requireNonNull(stream.subscribe(() -> {}));
        assertThat(stream.resume(resumed, List.of(alerts()), "0f", position)).isTrue();
        List<Delivery> missed = poll(resumed);
        assertThat(missed)
                .hasSize(1)
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(poll(alerts));
        assertThat(json(missed.getFirst()).path("prefix").asText()).isEqualTo("198.51.100.0/24");
        assertThatThrownBy(() -> alerts("path", "64500"))
                .hasMessage("'path' does not select messages of the type ALERT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{",
                "{}",
                "{\"changed_at\": \"yesterday\"}",
                "{\"changed_at\": \"2025-11-25T10:12:00Z\", \"prefix\": \"192.0.2.0\\u0000/24\"}"
            })
    void givenAnAlertThatIsNotValidThenOnlyTheOthersAreReceived(String record) {
        LiveStream stream = new LiveStream("0f", new LiveLimits(10, 10, LARGE, LARGE));
        Subscriber subscriber = subscribe(stream, alerts());

        stream.publishAlert(record.getBytes(StandardCharsets.UTF_8));
        stream.publishAlert(alert("192.0.2.0/24"));

        assertThat(poll(subscriber))
                .singleElement()
                .extracting(Delivery::position)
                .isEqualTo(2L);
        Subscriber resumed = Objects.requireNonNull(stream.subscribe(() -> {}));
        assertThat(stream.resume(resumed, List.of(alerts()), "0f", 0)).isTrue();
        assertThat(poll(resumed)).singleElement().extracting(Delivery::position).isEqualTo(2L);
    }

    private static LiveFilter alerts(String... conditions) {
        Map<String, String> all = new HashMap<>(Map.of("type", "ALERT"));
        for (int i = 0; i < conditions.length; i += 2) {
            all.put(conditions[i], conditions[i + 1]);
        }
        return LiveFilter.parse(all, false);
    }

    private static byte[] alert(String prefix) {
        String record = """
                {"event": "opened", "id": "0c8b1a45fd6a3b21", "rule": "origin-change", "prefix": "%s",
                 "changed_at": "2025-11-25T10:12:00.000001Z",
                 "evidence": [{"router": "edge-1", "peer_address": "198.51.100.1", "peer_asn": 64500}]}
                """.formatted(prefix);
        return record.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void givenAMessageThatIsMissedAfterTheLastPollThenTheConnectionIsWokenUp() {
        AtomicInteger wakeUps = new AtomicInteger();
        Subscriber subscriber = new Subscriber(1, new LiveCounters(), wakeUps::incrementAndGet);
        subscriber.offer(Message.of(1, new byte[2], null));
        subscriber.offer(Message.of(2, new byte[2], null));
        assertThat(subscriber.isReceiving()).isFalse();
        assertThat(poll(subscriber)).hasSize(2).last().isEqualTo(new Missed(2, 1, Cause.SLOW));

        assertThat(subscriber.miss(3)).isTrue();
        assertThat(subscriber.miss(4)).isFalse();
        subscriber.countMissed();

        assertThat(wakeUps).hasValue(2);
        assertThat(poll(subscriber)).containsExactly(new Missed(4, 2, Cause.SLOW));
        subscriber.offer(Message.of(5, new byte[2], null));
        assertThat(wakeUps).hasValue(3);

        // Noted messages count before later ones
        assertThat(subscriber.miss(6)).isTrue();
        subscriber.offer(Message.of(7, new byte[2], null));
        assertThat(poll(subscriber).getLast()).isEqualTo(new Missed(7, 2, Cause.SLOW));
    }

    /** Connections that poll when they are woken up, as fast as they can, and queues that are nearly always full. */
    @Test
    void givenConnectionsOnOtherThreadsThenWhatIsDeliveredAndMissedIsWhatWasPublished() {
        RouteBatch batch = Captures.batch("bird-noap");
        LiveStream stream = stream(1);
        List<AtomicLong> served = new ArrayList<>();
        try (ExecutorService first = Executors.newSingleThreadExecutor();
                ExecutorService second = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 20; i++) {
                ExecutorService loop = i % 2 == 0 ? first : second;
                AtomicLong count = new AtomicLong();
                AtomicReference<Subscriber> own = new AtomicReference<>();
                own.set(stream.subscribe(() -> loop.execute(() -> {
                    for (Delivery next = own.get().poll();
                            next != null;
                            next = own.get().poll()) {
                        count.addAndGet(next instanceof Missed missed ? missed.messages() : 1);
                    }
                })));
                assertThat(stream.add(own.get(), List.of(ALL))).isTrue();
                served.add(count);
            }
            for (int i = 0; i < 100; i++) {
                stream.publish(batch, VerdictCodes.NONE);
            }
        }
        long published = stream.counters().published();
        assertThat(served).allMatch(count -> count.get() == published);
        assertThat(stream.counters().missed()).isPositive();
    }

    /** RIS Live's readers, such as bgpkit-parser, require these fields. */
    @ParameterizedTest
    @FieldSource("CAPTURES")
    void eachPeerUpOfARealSessionIsTwoOpens(String capture) throws IOException {
        LiveStream stream = stream(LARGE);
        Subscriber opens = subscribe(stream, LiveFilter.parse(Map.of("type", "OPEN"), true));
        Subscriber others = subscribe(stream, LiveFilter.parse(Map.of("prefix", "0.0.0.0/0"), true));
        List<JsonNode> peerUps = new ArrayList<>();
        for (byte[] record : Captures.peerRecords(capture)) {
            stream.publishPeerRecord(record);
            JsonNode event = JSON.readTree(record);
            if (event.get("event").asText().equals("peer-up")
                    && !event.path("repeated").asBoolean()
                    && !event.get("rib_view").asText().equals("loc-rib")) {
                peerUps.add(event);
            }
        }
        List<ObjectNode> messages = messages(opens);
        assertThat(peerUps).isNotEmpty();
        assertThat(messages).hasSize(2 * peerUps.size());
        assertThat(poll(others)).isEmpty();
        for (int i = 0; i < messages.size(); i++) {
            ObjectNode message = messages.get(i);
            JsonNode peerUp = peerUps.get(i / 2);
            JsonNode open =
                    peerUp.at("/capabilities/" + message.get("direction").asText());
            assertThat(message.get("direction").asText()).isEqualTo(i % 2 == 0 ? "received" : "sent");
            assertThat(message.get("type").asText()).isEqualTo("OPEN");
            assertThat(message.get("timestamp").isNumber()).isTrue();
            assertThat(message.get("peer")).isEqualTo(peerUp.get("peer_address"));
            assertThat(message.get("peer_asn").asText())
                    .isEqualTo(peerUp.get("peer_asn").asText());
            assertThat(message.get("host")).isEqualTo(peerUp.get("router"));
            assertThat(message.get("version").asInt()).isEqualTo(4);
            assertThat(message.get("asn")).isEqualTo(open.get("asn"));
            assertThat(message.get("hold_time").isInt()).isTrue();
            assertThat(message.get("router_id")).isEqualTo(open.get("bgp_id"));
            int capabilities = 0;
            for (JsonNode each : message.get("capabilities")) {
                capabilities += each.isArray()
                        ? each.size()
                        : each.path("name").asText().equals("multiprotocol")
                                ? each.get("families").size()
                                : 1;
            }
            assertThat(capabilities).isEqualTo(open.get("capabilities").size()).isPositive();
            assertThat(message.at("/capabilities/65/asn4")
                            .asLong(open.get("asn").asLong())) // absent from two-octet peers
                    .isEqualTo(open.get("asn").asLong());
        }
        assertThat(messages.stream().map(message -> message.get("id").asText()).distinct())
                .hasSize(messages.size());
    }

    /** Families are in one object; other capabilities that are there twice, and invalid ones, are kept. */
    @Test
    void theCapabilitiesOfAnOpenHaveTheFormOfRisLive() throws IOException {
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);
        String open = """
                {"version":4,"asn":64500,"hold_time":90,"bgp_id":"192.0.2.7","capabilities":[
                {"code":1,"name":"multiprotocol","value":"00010001","family":"ipv4-unicast"},
                {"code":65,"name":"four-octet-as","value":"0000fbf4","asn":64500},
                {"code":1,"name":"multiprotocol","value":"0002","malformed":true},
                {"code":1,"name":"multiprotocol","value":"00190046","family":"evpn"},
                {"code":73,"name":"fqdn","value":"0161","host_name":"a"},{"code":73,"name":"fqdn","value":"0162","host_name":"b"}]}""";
        stream.publishPeerRecord("""
                {"event":"peer-up","router":"edge-1","session_id":414,"sequence":1,"received_at":"2026-11-26T02:26:50Z",
                "peer_address":"192.0.2.7","peer_asn":64500,"rib_view":"adj-rib-in-pre","capabilities":{"sent":%s,"received":%s}}""".formatted(open, open).getBytes(StandardCharsets.UTF_8));

        assertThat(messages(subscriber))
                .hasSize(2)
                .allSatisfy(message -> assertThat(message.get("capabilities")).isEqualTo(JSON.readTree("""
                {"1":[{"name":"multiprotocol","families":["ipv4/unicast","evpn"]},{"name":"multiprotocol","value":"0002","malformed":true}],
                "65":{"name":"asn4","value":"0000fbf4","asn4":64500},
                "73":[{"name":"fqdn","value":"0161","host_name":"a"},{"name":"fqdn","value":"0162","host_name":"b"}]}""")));
    }

    @Test
    void aPeerDownWithANotificationIsAMessageAndOneWithoutIsNone() throws IOException {
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, LiveFilter.parse(Map.of("peer", "192.0.2.7"), true));
        String peerDown = """
                {"event":"peer-down","collector":"c1","router":"edge-1","router_address":"198.51.100.254","session_id":414,"sequence":65536,
                "received_at":"2026-11-26T02:26:50Z","peer_type":"global","peer_distinguisher":"0000000000000000",
                "peer_address":"192.0.2.7","peer_asn":4200000001,"peer_bgp_id":"192.0.2.7","rib_view":"adj-rib-in-pre","all_views":true,
                "known":true,"reason_code":3,"reason":"remote system closed the session, NOTIFICATION received"%s}""";
        String notification = ",\"data\":\"" + "ff".repeat(16) + "001703" + "0602" + "0161"
                + "00010000\",\"notification_code\":6,\"notification_subcode\":2,\"communication\":\"a\"";

        stream.publishPeerRecord(peerDown.formatted("").getBytes(StandardCharsets.UTF_8));
        stream.publishPeerRecord(peerDown.formatted(notification).getBytes(StandardCharsets.UTF_8));
        stream.publishPeerRecord(
                peerDown.formatted(notification + ",\"redecoded\":true").getBytes(StandardCharsets.UTF_8));

        List<ObjectNode> messages = messages(subscriber);
        assertThat(messages).hasSize(1);
        ObjectNode message = messages.getFirst();
        assertThat(message.get("type").asText()).isEqualTo("NOTIFICATION");
        assertThat(message.get("direction").asText()).isEqualTo("received");
        assertThat(message.get("timestamp").decimalValue()).isEqualByComparingTo("1795660010");
        assertThat(message.get("notification"))
                .isEqualTo(JSON.readTree("{\"code\":6,\"subcode\":2,\"data\":\"0161\"}"));
        assertThat(message.get("communication").asText()).isEqualTo("a");
        assertThat(stream.counters().published()).isEqualTo(1);
        // A subscriber that resumes receives it, too
        assertThat(resume(stream, "0f", 0)).hasSize(1);
    }

    /** A lane that publishes the next batch at once must not get ahead of a subscriber that waits. */
    @Test
    void aSubscriberThatWaitsForABatchIsAddedBeforeTheNextOne() throws Exception {
        RouteBatch batch = Captures.batch("bird-noap");
        LiveStream stream = stream(LARGE);
        AtomicReference<Subscriber> first = new AtomicReference<>();
        Thread newcomer = new Thread(() -> stream.subscribe(() -> {}));
        List<Integer> subscribers = new ArrayList<>();
        // Called for each message, while the batch is published
        first.set(stream.subscribe(() -> {
            if (subscribers.isEmpty()) {
                newcomer.start();
                await().until(() -> newcomer.getState() == Thread.State.WAITING);
            }
            subscribers.add(stream.subscriberCount());
            poll(first.get());
        }));
        stream.add(first.get(), List.of(ALL));

        stream.publish(batch, VerdictCodes.NONE);
        stream.publish(batch, VerdictCodes.NONE);

        int groups = batch.groupCount();
        assertThat(subscribers.subList(0, groups)).containsOnly(1);
        assertThat(subscribers.subList(groups, 2 * groups)).containsOnly(2);
        newcomer.join();
    }

    @Test
    void givenASubscriberThatResumesThenItReceivesWhatFollowsItsLastMessageOrHowManyAreNoLongerKept() {
        RouteBatch batch = Captures.batch("bird-noap");
        int groups = batch.groupCount();
        LiveStream stream = new LiveStream("0f", new LiveLimits(10, 10, LARGE, 2L * batch.bytes().length));
        Subscriber first = subscribe(stream, ALL);
        for (int i = 0; i < 3; i++) {
            stream.publish(batch, VerdictCodes.NONE);
        }
        List<Delivery> all = poll(first);
        assertThat(all).hasSize(3 * groups);
        assertThat(stream.recentBytes()).isEqualTo(2L * batch.bytes().length);

        assertThat(positions(resume(stream, "0f", 2 * groups - 1)))
                .containsExactlyElementsOf(positions(all.subList(2 * groups - 1, 3 * groups)));
        assertThat(resume(stream, "0f", 3 * groups)).isEmpty();

        List<Delivery> late = resume(stream, "0f", 4);
        assertThat(late.getFirst()).isEqualTo(new Missed(groups, groups - 4, Cause.EXPIRED));
        assertThat(positions(late.subList(1, late.size())))
                .containsExactlyElementsOf(positions(all.subList(groups, 3 * groups)));

        assertThat(resume(stream, "ff", 4)).containsExactly(new Missed(3 * groups, 0, Cause.RESTARTED));
        assertThat(resume(stream, "0f", 1_000_000)).containsExactly(new Missed(3 * groups, 0, Cause.RESTARTED));
    }

    private static List<Delivery> resume(LiveStream stream, String id, long after) {
        Subscriber subscriber = Objects.requireNonNull(stream.subscribe(() -> {}));
        assertThat(stream.resume(subscriber, List.of(ALL), id, after)).isTrue();
        List<Delivery> deliveries = poll(subscriber);
        stream.leave(subscriber);
        return deliveries;
    }

    private static List<Long> positions(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::position).toList();
    }

    private static List<String> routes(ObjectNode message) {
        List<String> routes = new ArrayList<>();
        message.path("routes")
                .forEach(route -> routes.add(route.path("prefix").asText() + " "
                        + route.path("rpki_validity").asText("-")));
        return routes;
    }

    @Test
    void eachRouteOfAMessageHasItsValidityAlsoForASubscriberThatResumes() {
        RouteBatch batch = TestBatch.of(7, 0)
                .peerUp(TestBatch.PEER)
                .announceAll(
                        TestBatch.PEER,
                        Family.IPV4_UNICAST,
                        TestBatch.concat(TestBatch.nlri("10.0.0.0/8"), TestBatch.nlri("10.0.0.0/9")),
                        2,
                        TestBatch.attributes(1))
                .withdraw("10.0.0.0/8")
                .announce("192.0.2.0/24", 2)
                .announce("198.51.100.0/24", 3)
                .build();
        byte[] codes = {0, Validity.VALID.code(), Validity.INVALID.code(), 0, Validity.NOT_FOUND.code(), 0};
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);

        byte[] aspa = {0, AspaVerdict.INVALID.code(), AspaVerdict.UNKNOWN.code(), 0, 0, AspaVerdict.VALID.code()};
        stream.publish(batch, VerdictCodes.of(codes, aspa, batch));

        List<List<String>> expected = List.of(
                List.of(),
                List.of("10.0.0.0/8 valid", "10.0.0.0/9 invalid"),
                List.of(),
                List.of("192.0.2.0/24 not-found"),
                List.of("198.51.100.0/24 -"));
        List<ObjectNode> messages = messages(subscriber);
        assertThat(messages).extracting(LiveStreamTest::routes).isEqualTo(expected);
        assertThat(messages.get(1).path("announcements").get(0).path("prefixes"))
                .as("RIS Live's form stays")
                .hasToString("[\"10.0.0.0/8\",\"10.0.0.0/9\"]");
        assertThat(messages.stream().flatMap(message -> message.findValuesAsText("aspa").stream()))
                .containsExactly("invalid", "unknown", "valid");
        assertThat(stream.recentBytes()).isEqualTo(batch.bytes().length + codes.length + aspa.length);
        assertThat(resume(stream, "0f", 1))
                .extracting(delivery -> routes(json(delivery)))
                .isEqualTo(expected.subList(1, expected.size()));

        byte[] tooMany = new byte[codes.length + 1];
        Arrays.fill(tooMany, Validity.VALID.code());
        stream.publish(batch, VerdictCodes.of(tooMany, tooMany, batch));
        assertThat(messages(subscriber)).extracting(LiveStreamTest::routes).containsOnly(List.of());
    }

    @Test
    void aBatchIsValidatedOnceWhenTheFirstMessageIsMadeOfIt() {
        RouteBatch batch = TestBatch.of(7, 0)
                .announce("10.0.0.0/8", 1)
                .announce("192.0.2.0/24", 1)
                .build();
        List<RouteBatch> validated = new ArrayList<>();
        EventCodes.Deferred validity = validating -> {
            validated.add(validating);
            return new byte[] {Validity.VALID.code(), Validity.INVALID.code()};
        };
        LiveStream stream = stream(LARGE);

        stream.publish(batch, VerdictCodes.of(validity, null, batch));
        assertThat(validated).as("without subscribers").isEmpty();
        assertThat(stream.recentBytes()).isEqualTo(batch.bytes().length + 2);

        for (int subscribers = 0; subscribers < 2; subscribers++) {
            assertThat(resume(stream, "0f", 0).stream().flatMap(delivery -> routes(json(delivery)).stream()))
                    .containsExactly("10.0.0.0/8 valid", "192.0.2.0/24 invalid");
        }
        assertThat(validated).containsExactly(batch);
    }

    @Test
    void givenNoFiltersThenNothingIsEncoded() {
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);
        stream.remove(subscriber, List.of(ALL));

        stream.publish(Captures.batch("bird-noap"), VerdictCodes.NONE);

        assertThat(poll(subscriber)).isEmpty();
        assertThat(stream.counters().encoded()).isZero();
        assertThat(stream.counters().published()).isPositive();
    }

    @Test
    void givenABatchThatWasDecodedAgainThenItIsNotPublished() {
        LiveStream stream = stream(LARGE);
        Subscriber subscriber = subscribe(stream, ALL);

        stream.publish(
                RouteBatch.read(
                        RouteBatch.asRedecoded(Captures.batch("bird-noap").bytes())),
                VerdictCodes.NONE);

        assertThat(poll(subscriber)).isEmpty();
        assertThat(stream.counters().published()).isZero();
    }

    @Test
    void subscribersAndTheirFiltersAreBounded() {
        LiveStream stream = new LiveStream("0f", new LiveLimits(2, 2, LARGE, 0));
        Subscriber subscriber = subscribe(stream, ALL);
        subscribe(stream);
        assertThat(stream.subscribe(() -> {})).isNull();
        assertThat(stream.counters().rejected()).isEqualTo(1);

        List<LiveFilter> two = List.of(
                LiveFilter.parse(Map.of("peer", "192.0.2.1"), true), LiveFilter.parse(Map.of("host", "r1"), true));
        assertThat(stream.add(subscriber, two)).isFalse();
        assertThat(stream.add(subscriber, List.of(ALL, two.getFirst()))).isTrue();

        stream.leave(subscriber);
        assertThat(stream.subscribe(() -> {})).isNotNull();
    }

    @Test
    void filtersAreCheckedWhenTheyAreParsed() {
        assertThat(LiveFilter.parse(Map.of("host", " ", "peer", "", "path", ""), false))
                .isEqualTo(ALL);
        for (Map<String, String> conditions : List.of(
                Map.of("prefixes", "192.0.2.0/24"),
                Map.of("prefix", "192.0.2.0/33"),
                Map.of("peer", "192.0.2.0/24"),
                Map.of("type", "BEACON"),
                Map.of("require", "attributes"),
                Map.of("view", "adj-rib"),
                Map.of("moreSpecific", "yes"),
                Map.of("path", "64500,".repeat(100) + "64500"),
                Map.of("path", "^$"))) {
            assertThatThrownBy(() -> LiveFilter.parse(conditions, false))
                    .as(conditions.toString())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'");
        }
    }
}
