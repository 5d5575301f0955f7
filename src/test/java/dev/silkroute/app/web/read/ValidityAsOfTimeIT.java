package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.rpki.OriginValidation;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AsPath.SegmentType;
import dev.silkroute.fixture.TestConfig;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.history.HistoryWriter;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import javax.sql.DataSource;
import org.apache.camel.ProducerTemplate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests validity in responses about a time. The route is the same all the time, only the VRPs change. */
class ValidityAsOfTimeIT {
    private static final StationConfig CONFIG = TestConfig.of("silkroute.roles", "collector,writer,api");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant START = Instant.now().minus(Duration.ofHours(3));

    private final DataSource database = TestPostgres.database();

    private static Instant minute(int minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    private static TestBatch batch(int minute) {
        return TestBatch.of(7, minute(minute).getEpochSecond() - TestBatch.EIGHT / 1_000_000);
    }

    /** No VRPs for an hour, then one of the origin AS of the route, and after another hour one of another AS. */
    @BeforeEach
    void store() throws Exception {
        store(List.of(batch(0).announce("10.0.0.0/8", 1).build()));
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute("INSERT INTO bmp.vrp_version VALUES ('%1$s', 1, 1, 0), ('%2$s', 1, 1, 1);"
                                    .formatted(minute(60), minute(120))
                            + "INSERT INTO bmp.vrp VALUES ('10.0.0.0/8', 8, 64500, '%1$s', '%2$s'), ('10.0.0.0/8', 8, 64501, '%2$s', NULL)"
                                    .formatted(minute(60), minute(120)));
        }
    }

    private void store(List<RouteBatch> batches) throws Exception {
        try (Connection connection = database.getConnection()) {
            DimensionCache dimensions = new DimensionCache(10);
            AttributeSets sets = new AttributeSets(10);
            HistoryWriter history = new HistoryWriter(dimensions, sets);
            LaneTransaction.run(connection, history.prepareBatches(connection, batches)::write);
            CurrentStateWriter current = new CurrentStateWriter(dimensions, sets);
            LaneTransaction.run(connection, current.prepareBatches(connection, batches)::write);
        }
    }

    private static <T> T proxy(Class<T> type, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> answer));
    }

    private Answers answers(String... namesAndValues) {
        var parameters = new MultivaluedHashMap<String, String>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return new Answers(
                database,
                proxy(UriInfo.class, parameters),
                proxy(HttpHeaders.class, List.of(MediaType.WILDCARD_TYPE)),
                proxy(Request.class, null),
                null, // for large answers only
                new SimpleMeterRegistry(),
                CONFIG);
    }

    private static List<String> validities(Response response) throws IOException {
        JsonNode body = JSON.readTree((byte[]) response.getEntity());
        return StreamSupport.stream((body.isArray() ? body : body.path("data")).spliterator(), false)
                .map(row -> row.path("rpki_validity").asText("-"))
                .toList();
    }

    private List<String> lookup(String... namesAndValues) throws Exception {
        var resource = new LookupResource(
                proxy(ProducerTemplate.class, null), answers(namesAndValues), new OriginValidation(CONFIG), CONFIG);
        return validities(resource.lookup());
    }

    private List<String> routes(String... namesAndValues) throws Exception {
        return validities(new RouteResource(answers(namesAndValues)).routes());
    }

    @Test
    void lookupsHaveTheValidityOfTheirTime() throws Exception {
        assertThat(lookup("address", "10.1.2.3", "at", minute(59).toString())).containsExactly("-");
        assertThat(lookup("address", "10.1.2.3", "at", minute(60).toString())).containsExactly("valid");
        assertThat(lookup("address", "10.1.2.3", "at", minute(119).toString())).containsExactly("valid");
        assertThat(lookup("address", "10.1.2.3", "at", minute(120).toString())).containsExactly("invalid");
        assertThat(lookup("address", "10.1.2.3")).as("now").containsExactly("invalid");
    }

    @Test
    void routesHaveItIfItIsSelected() throws Exception {
        String fields = "prefix,rpki_validity";
        assertThat(routes("at", minute(61).toString(), "fields", fields)).containsExactly("valid");
        assertThat(routes("at", minute(121).toString(), "fields", fields)).containsExactly("invalid");
        assertThat(routes("fields", fields)).as("now").containsExactly("invalid");
        assertThat(routes(
                        "prefix",
                        "10.1.2.3",
                        "match",
                        "longest",
                        "at",
                        minute(61).toString(),
                        "fields",
                        fields))
                .containsExactly("valid");
        assertThat(routes("at", minute(61).toString(), "fields", "*,rpki_validity"))
                .as("with all other fields")
                .containsExactly("valid");
        assertThat(routes("at", minute(61).toString())).as("not selected").containsExactly("-");
        assertThat(validities(new RouteResource(answers("ts", minute(61).toString(), "fields", fields)).ribAt()))
                .containsExactly("valid");
    }

    /** Returns the prefixes of all pages. */
    private List<String> prefixes(String validity, String... others) throws Exception {
        List<String> prefixes = new ArrayList<>();
        String cursor = null;
        do {
            List<String> parameters = new ArrayList<>(List.of("rpki_validity", validity, "limit", "1"));
            parameters.addAll(List.of(others));
            if (cursor != null) {
                parameters.addAll(List.of("cursor", cursor));
            }
            Response response = new RouteResource(answers(parameters.toArray(String[]::new))).routes();
            JsonNode page = JSON.readTree((byte[]) response.getEntity());
            page.path("data").forEach(row -> prefixes.add(row.path("prefix").asText()));
            cursor = page.path("next").textValue();
        } while (cursor != null);
        return prefixes;
    }

    @Test
    void routesAreSelectedByIt() throws Exception {
        byte[] vpn = TestBatch.hex("60" + "000101" + "0000fbf400000001" + "0a");
        byte[] set = TestBatch.hex("5001000100" + "5002000601010000fbf4" + "50030004c0000201");
        store(List.of(
                batch(1).message(1)
                        .announce("10.1.0.0/16", 1)
                        .announce("192.0.2.0/24", 1)
                        .announce(TestBatch.PEER, Family.IPV4_UNICAST, TestBatch.nlri("10.2.0.0/16"), false, set)
                        .announce(TestBatch.PEER, Family.VPNV4, vpn, false, TestBatch.attributes(1))
                        .announce("10.3.0.0/16", 1)
                        .build(),
                batch(2).message(2)
                        .announce("10.0.0.0/8", 1)
                        .withdraw("10.3.0.0/16")
                        .build()));
        String before = minute(59).toString();
        assertThat(prefixes("valid", "at", before)).isEmpty();
        assertThat(prefixes("invalid", "at", before)).isEmpty();
        assertThat(prefixes("not-found", "at", before)).as("no VRPs").isEmpty();
        String then = minute(61).toString();
        assertThat(prefixes("valid", "at", then)).containsExactly("10.0.0.0/8");
        assertThat(prefixes("invalid", "at", then)).containsExactly("10.1.0.0/16", "10.2.0.0/16");
        assertThat(prefixes("not-found", "at", then)).containsExactly("192.0.2.0/24");
        for (List<String> time : List.of(List.of("at", minute(121).toString()), List.<String>of())) {
            String[] at = time.toArray(String[]::new);
            assertThat(prefixes("valid", at)).as("%s", time).isEmpty();
            assertThat(prefixes("invalid", at)).containsExactly("10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16");
            assertThat(prefixes("not-found", at)).containsExactly("192.0.2.0/24");
        }
        assertThat(prefixes("invalid", "prefix", "10.0.0.0/14", "match", "covered"))
                .containsExactly("10.1.0.0/16", "10.2.0.0/16");
        assertThat(prefixes("invalid", "prefix", "10.1.2.3", "match", "longest"))
                .containsExactly("10.1.0.0/16");
        assertThat(prefixes("valid", "prefix", "10.1.2.3", "match", "longest", "at", then))
                .as("the longest match is invalid")
                .isEmpty();
        assertThat(prefixes("invalid", "origin_asn", "64500")).containsExactly("10.0.0.0/8", "10.1.0.0/16");
        assertThat(prefixes("invalid", "router", "nobody")).isEmpty();
    }

    /** The text of a path, and the AS that SQL validates for the speaker 64599. */
    @Test
    void originsInSqlAreThoseOfTheDecoder() throws Exception {
        List<List<AsPath.Segment>> paths = new ArrayList<>(List.of(List.of()));
        for (SegmentType first : SegmentType.values()) {
            paths.add(List.of(segment(first, 64_500)));
            for (SegmentType second : SegmentType.values()) {
                paths.add(List.of(segment(first, 64_500), segment(second, 4_200_000_001L)));
                paths.add(List.of(segment(second, 64_500, 64_501), segment(first, 64_502, 64_503)));
            }
        }
        try (Connection connection = database.getConnection()) {
            for (List<AsPath.Segment> segments : paths) {
                AsPath path = new AsPath(segments);
                OptionalLong expected = AsPath.validatedOrigin(path, 64_599);
                assertThat(Sql.list(
                                connection,
                                "SELECT coalesce(bmp.rpki_origin(?, 64599), -1)",
                                row -> row.getLong(1),
                                path.text()))
                        .as(path.text())
                        .containsExactly(expected.orElse(-1));
            }
            assertThat(Sql.list(connection, "SELECT bmp.rpki_origin(NULL, 64599)", row -> row.getLong(1)))
                    .containsExactly(64_599L);
        }
    }

    private static AsPath.Segment segment(SegmentType type, long... asns) {
        return new AsPath.Segment(type, LongStream.of(asns).boxed().toList());
    }

    /** The peer of the route without a path, and the second VRP, have the same AS. */
    @Test
    void aRouteWithoutAPathHasThePeersAsAsItsOrigin() throws Exception {
        byte[] empty = TestBatch.hex("5001000100" + "50020000" + "50030004c0000201");
        store(List.of(batch(1).message(1)
                .announce(TestBatch.PEER, Family.IPV4_UNICAST, TestBatch.nlri("172.16.0.0/12"), false, empty)
                .announce(TestBatch.PEER, Family.IPV4_UNICAST, TestBatch.nlri("172.16.0.0/16"), false, empty)
                .build()));
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute("INSERT INTO bmp.vrp VALUES ('172.16.0.0/12', 12, %d, '%s', NULL)"
                            .formatted(Integer.toUnsignedLong(TestBatch.PEER.asn()), minute(60)));
        }
        assertThat(routes("prefix", "172.16.0.0/12", "match", "covered", "fields", "rpki_validity"))
                .containsExactly("valid", "invalid");
        assertThat(lookup("prefix", "172.16.0.0/12")).containsExactly("valid");
    }

    @Test
    void lookupsAreSelectedByIt() throws Exception {
        String then = minute(61).toString();
        assertThat(lookup("address", "10.1.2.3", "at", then, "rpki_validity", "valid"))
                .containsExactly("valid");
        assertThat(lookup("address", "10.1.2.3", "at", then, "rpki_validity", "invalid"))
                .isEmpty();
        assertThat(lookup("address", "10.1.2.3", "rpki_validity", "invalid"))
                .as("now")
                .containsExactly("invalid");
    }

    @Test
    void comparisonsHaveTheValidityOfTheRouteAfterPolicy() throws Exception {
        byte[] origin = TestBatch.hex("5001000100" + "5002000602010000fbf5" + "50030004c0000201");
        byte[] prefix = TestBatch.nlri("10.0.0.0/8");
        PeerEntry post = TestBatch.peer(11, 11, RibView.ADJ_RIB_IN_POST_POLICY);
        store(List.of(batch(1).message(1)
                .announce(post, Family.IPV4_UNICAST, prefix, false, origin)
                .announce("10.1.0.0/16", 1)
                .build()));
        assertThat(comparison("10.0.0.0/8", minute(59))).as("no VRPs").containsExactly("-");
        assertThat(comparison("10.0.0.0/8", minute(61))).containsExactly("invalid");
        assertThat(comparison("10.0.0.0/8", minute(121)))
                .as("the second VRP has the origin that policy has made")
                .containsExactly("valid");
        assertThat(comparison("10.1.0.0/16", minute(121)))
                .as("only before policy")
                .containsExactly("invalid");
    }

    private List<String> comparison(String prefix, Instant at) throws Exception {
        var resource = new ComparisonResource(answers("prefix", prefix, "at", at.toString()), null);
        return validities(resource.compare());
    }

    @Test
    void differencesHaveTheValidityOfBothTimes() throws Exception {
        byte[] origin = TestBatch.hex("5001000100" + "5002000602010000fbf5" + "50030004c0000201");
        byte[] prefix = TestBatch.nlri("10.0.0.0/8");
        store(List.of(
                batch(1).message(1)
                        .announce("10.1.0.0/16", 1)
                        .announce("10.2.0.0/16", 1)
                        .build(),
                batch(121)
                        .message(2)
                        .announce(TestBatch.PEER, Family.IPV4_UNICAST, prefix, false, origin)
                        .withdraw("10.1.0.0/16")
                        .announce("192.0.2.0/24", 1)
                        .build()));
        assertThat(differences(minute(61), "*,old_rpki_validity,new_rpki_validity"))
                .as("the new origin is that of the new VRP; 10.2.0.0/16 is the same at both times")
                .containsExactly(
                        "10.0.0.0/8 changed valid valid",
                        "10.1.0.0/16 removed invalid -",
                        "192.0.2.0/24 added - not-found");
        assertThat(differences(minute(59), "prefix,change,new_rpki_validity"))
                .containsExactly(
                        "10.0.0.0/8 changed - valid", "10.1.0.0/16 removed - -", "192.0.2.0/24 added - not-found");
        assertThat(differences(minute(59), "*,old_rpki_validity"))
                .as("without VRPs")
                .allMatch(line -> line.endsWith(" - -"));
    }

    private List<String> differences(Instant from, String fields) throws Exception {
        // Without the part that /reconcile uses
        var resource = new ComparisonResource(answers("from", from.toString(), "fields", fields), null);
        JsonNode page = JSON.readTree((byte[]) resource.diff().getEntity());
        return page.path("data")
                .valueStream()
                .map(row -> String.join(
                        " ",
                        row.path("prefix").asText(),
                        row.path("change").asText(),
                        row.path("old_rpki_validity").asText("-"),
                        row.path("new_rpki_validity").asText("-")))
                .toList();
    }

    @Test
    void eventsHaveTheValidityOfTheirTime() throws Exception {
        List<RouteBatch> later = List.of(
                batch(90).announce("10.0.0.0/8", 2).build(),
                batch(130).announce("10.0.0.0/8", 3).build(),
                batch(140).withdraw("10.0.0.0/8").build());
        try (Connection connection = database.getConnection()) {
            HistoryWriter history = new HistoryWriter(new DimensionCache(10), new AttributeSets(10));
            LaneTransaction.run(connection, history.prepareBatches(connection, later)::write);
        }
        var resource = new RouteResource(answers("prefix", "10.0.0.0/8", "fields", "event,rpki_validity"));
        assertThat(validities(resource.history())).containsExactly("-", "valid", "invalid", "-");
    }
}
