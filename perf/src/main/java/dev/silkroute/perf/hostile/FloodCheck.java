package dev.silkroute.perf.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Hex;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.SessionRecord;
import dev.silkroute.session.identity.RouterIdentity;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the beginning of each flood and checks that it is valid, and that the values differ in which the flood
 * differs from others.
 */
public final class FloodCheck {
    private static final int CONNECTIONS = 2;
    private static final int MESSAGES = 200;
    /** Colliding EVPN routes are made of 16 random bits. */
    private static final double DIFFERENT = 0.8;
    /** Codes of capabilities are bytes. */
    private static final int CAPABILITIES = 100;

    private static final int STATISTICS = 10_000;

    /** Values that a flood may vary. */
    private enum Value {
        NLRI(null),
        ROUTE_DISTINGUISHER(null),
        LABEL(null),
        PATH_IDENTIFIER(null),
        ATTRIBUTE_SET(null),
        PEER(null),
        CAPABILITY(Pattern.compile("\"code\":(\\d+)")),
        STATISTIC(Pattern.compile("\"type\":(\\d+),\"name\"")),
        SYS_NAME(Pattern.compile("\"sys_name\":\"([^\"]+)\""));

        private final @Nullable Pattern inJson;

        Value(@Nullable Pattern inJson) {
            this.inJson = inJson;
        }
    }

    private final Flood flood;
    private final Map<Value, Set<String>> values = new EnumMap<>(Value.class);
    private long routes;

    private FloodCheck(Flood flood) {
        this.flood = flood;
        for (Value value : Value.values()) {
            values.put(value, new HashSet<>());
        }
    }

    /**
     * Returns a line for each flood with how many different values it has.
     *
     * @throws IllegalStateException if a flood is not valid, or does not vary what it is meant to vary
     */
    public static List<String> check() {
        return Arrays.stream(Flood.values())
                .map(flood -> new FloodCheck(flood).run())
                .toList();
    }

    private String run() {
        for (int connection = 0; connection < CONNECTIONS; connection++) {
            decode(connection);
        }
        switch (flood) {
            case IPV6, IPV6_COLLIDING, EVPN, EVPN_COLLIDING, FLOW_SPEC, BGP_LS -> varies(Value.NLRI, routes);
            case ROUTE_DISTINGUISHERS -> varies(Value.ROUTE_DISTINGUISHER, routes);
            case LABELS -> varies(Value.LABEL, routes);
            case PATH_IDENTIFIERS -> varies(Value.PATH_IDENTIFIER, routes);
            case ATTRIBUTE_SETS -> varies(Value.ATTRIBUTE_SET, routes);
            case PEERS, PEERS_COLLIDING -> varies(Value.PEER, routes);
            case CAPABILITIES -> varies(Value.CAPABILITY, CAPABILITIES);
            case TLVS -> varies(Value.STATISTIC, STATISTICS);
            case SYS_NAMES -> varies(Value.SYS_NAME, CONNECTIONS);
            case TINY, IDLE, HALF_MESSAGES, FLAPPING -> {}
        }
        return this.toString();
    }

    /** @param most the number of values if all of them differ */
    private void varies(Value value, long most) {
        if (most < CONNECTIONS || of(value).size() < DIFFERENT * most) {
            throw new IllegalStateException("not enough different values of " + value + ": " + this);
        }
    }

    private Set<String> of(Value value) {
        return Objects.requireNonNull(values.get(value));
    }

    @Override
    public String toString() {
        Map<Value, Integer> counts = new EnumMap<>(Value.class);
        values.forEach((value, different) -> counts.put(value, different.size()));
        return flood.text() + ": " + routes + " routes, different values: " + counts;
    }

    private void decode(int connection) {
        String name = "hostile-" + connection;
        BmpSession session = new BmpSession(
                new SessionConfig("perf", 1_000_000),
                1 + connection,
                InetAddress.getLoopbackAddress(),
                RouterIdentity.configured(name));
        Random random = new Random(connection);
        ByteSink bytes = new ByteSink();
        byte[] beginning = flood.beginning(name);
        bytes.bytes(beginning, 0, beginning.length);
        long message = 0;
        for (int i = 0; i <= MESSAGES; i++) {
            byte[] whole = whole(bytes.toByteArray());
            DecodedBatch decoded = session.decode(whole, message, 1_000_000, null);
            message = session.messages();
            add(decoded);
            bytes.reset();
            flood.message(random, i, bytes);
        }
    }

    /** Returns the bytes without a message at the end that is not whole. */
    private static byte[] whole(byte[] bytes) {
        int end = 0;
        while (end + BmpMessages.COMMON_HEADER_LENGTH <= bytes.length
                && end + BmpMessages.length(bytes, end) <= bytes.length) {
            end += BmpMessages.length(bytes, end);
        }
        return Arrays.copyOf(bytes, end);
    }

    private void add(DecodedBatch decoded) {
        for (SessionRecord record : decoded.records(LaneName.QUARANTINE)) {
            throw new IllegalStateException(flood + " is not valid: " + new String(record.json(), UTF_8));
        }
        for (DecodeOutcome.Kind kind : DecodeOutcome.Kind.values()) {
            if (decoded.outcomes(kind) > 0) {
                throw new IllegalStateException(flood + " is not valid: " + kind.text());
            }
        }
        for (LaneName lane : LaneName.values()) {
            decoded.records(lane).forEach(record -> add(new String(record.json(), UTF_8)));
        }
        if (decoded.routes().length > 0) {
            add(RouteBatch.read(decoded.routes()));
        }
    }

    private void add(String json) {
        values.forEach((value, different) -> {
            if (value.inJson != null) {
                Matcher found = value.inJson.matcher(json);
                while (found.find()) {
                    different.add(found.group(1));
                }
            }
        });
    }

    private void add(RouteBatch batch) {
        for (int i = 0; i < batch.peerCount(); i++) {
            of(Value.PEER).add(batch.peer(i).toString());
        }
        for (int i = 0; i < batch.attributeSetCount(); i++) {
            of(Value.ATTRIBUTE_SET).add(batch.hashHigh(i) + " " + batch.hashLow(i));
        }
        RouteCursor event = batch.cursor();
        while (event.next()) {
            if (event.kind() == EventKind.ANNOUNCE) {
                routes++;
                of(Value.NLRI)
                        .add(Hex.of(
                                batch.bytes(), event.nlri().from(), event.nlri().to()));
                if (event.nlri().hasRd()) {
                    of(Value.ROUTE_DISTINGUISHER).add(Long.toString(event.nlri().rd()));
                }
                if (event.nlri().labelCount() > 0) {
                    of(Value.LABEL).add(Integer.toString(event.nlri().label(0)));
                }
                if (event.nlri().hasPathId()) {
                    of(Value.PATH_IDENTIFIER).add(Integer.toString(event.nlri().pathId()));
                }
            }
        }
    }
}
