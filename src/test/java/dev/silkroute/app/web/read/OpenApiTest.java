package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.live.LiveFilter;
import dev.silkroute.net.Family;
import jakarta.ws.rs.core.MultivaluedHashMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The OpenAPI document describes what the code accepts, and the same as docs/reference/rest.md. */
class OpenApiTest {
    private static final String BASE = "/api/v1";
    private static final JsonNode DOCUMENT = document();
    private static final JsonNode PARAMETERS = DOCUMENT.at("/components/parameters");
    private static final JsonNode SCHEMAS = DOCUMENT.at("/components/schemas");

    private static JsonNode document() {
        try {
            return new YAMLMapper()
                    .readTree(
                            Path.of("src/main/resources/META-INF/openapi.yaml").toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** Returns the patterns of the alternatives of a schema. */
    private static List<Pattern> patterns(String schema) {
        return SCHEMAS.path(schema).findValues("pattern").stream()
                .map(pattern -> Pattern.compile(pattern.asText()))
                .toList();
    }

    private static boolean isDescribed(String schema, String value) {
        return patterns(schema).stream()
                .anyMatch(pattern -> pattern.matcher(value).find());
    }

    private static Parameters parameters(String name, String value) {
        var values = new MultivaluedHashMap<String, String>();
        values.add(name, value);
        return new Parameters(values, List.of(name));
    }

    @Test
    void everyOperationAndParameterIsInTheReference() throws IOException {
        String page = Files.readString(Path.of("docs/reference/rest.md"));
        TreeSet<String> documented = new TreeSet<>();
        page.lines().filter(line -> line.startsWith("| `/")).forEach(line -> {
            for (String cell : line.split("\\|")[1].split(",")) {
                documented.add(BASE + cell.strip().replaceAll("[`]|\\?.*", ""));
            }
        });
        TreeSet<String> described = new TreeSet<>();
        DOCUMENT.path("paths").fieldNames().forEachRemaining(described::add);
        assertThat(described).isEqualTo(documented);
        assertThat(PARAMETERS.size()).isGreaterThan(20);
        PARAMETERS.forEach(parameter ->
                assertThat(page).contains("`" + parameter.path("name").asText() + "`"));
    }

    @Test
    void everyAnswerAndRequestBodyHasAnExample() {
        List<JsonNode> contents = DOCUMENT.path("paths").findValues("content");
        assertThat(contents).hasSizeGreaterThan(15);
        contents.forEach(content -> content.forEach(
                media -> assertThat(media.has("example")).as(media.toString()).isTrue()));
    }

    @Test
    void everyReferenceExists() {
        List<JsonNode> references = DOCUMENT.findValues("$ref");
        assertThat(references).hasSizeGreaterThan(100);
        references.forEach(reference -> assertThat(
                        DOCUMENT.at(reference.asText().substring(1)).isMissingNode())
                .as(reference.asText())
                .isFalse());
    }

    private static List<String> with(List<String> columns, List<String> selectable) {
        return Stream.concat(columns.stream(), selectable.stream()).toList();
    }

    @Test
    void fieldsAreTheColumns() {
        Map.of(
                        "routeFields", with(RouteColumns.RIB, List.of(RouteColumns.VALIDITY)),
                        "lookupFields", RouteColumns.LOOKUP,
                        "historyFields", with(RouteColumns.HISTORY, List.of(RouteColumns.VALIDITY)),
                        "differenceFields", with(RouteColumns.DIFF, RouteColumns.VALIDITIES),
                        "comparisonFields", RouteColumns.COMPARISON,
                        "reconciliationFields", RouteColumns.RECONCILIATION,
                        "routerFields", RouteColumns.ROUTERS,
                        "peerFields", RouteColumns.PEERS,
                        "alertFields", RouteColumns.ALERTS,
                        "quarantineFields", RouteColumns.QUARANTINE)
                .forEach((name, columns) -> assertThat(
                                texts(PARAMETERS.path(name).at("/schema/items/enum")))
                        .as(name)
                        .isEqualTo(
                                Stream.concat(Stream.of("*"), columns.stream()).toList()));
    }

    @Test
    void timesAreAcceptedExactlyAsDescribed() {
        Stream.of(
                        "2026-11-21T09:30:00Z",
                        "2026-11-21T09:30Z",
                        "2026-11-21T10:30:00.123456789+01:00",
                        "2026-11-21T10:30:00-17:59",
                        "0000-01-01",
                        "9999-12-31",
                        "15m",
                        "-999999h",
                        "99999d")
                .forEach(value -> {
                    assertThat(isDescribed("Time", value)).as(value).isTrue();
                    assertThat(parameters("at", value).time("at")).as(value).isNotNull();
                });
        Stream.of(
                        "2026-11-21T09:30:00",
                        "2026-11-21 09:30:00Z",
                        "2026-11-21T09:30:60Z",
                        "2026-11-21T24:00:00Z",
                        "2026-11-21T10:30:00.1234567890Z",
                        "2026-13-01",
                        "2026-11-32",
                        "10000-01-01T00:00:00Z",
                        "now",
                        "infinity",
                        "1795573609",
                        "--5m",
                        "5w",
                        "1000000s")
                .forEach(value -> {
                    assertThat(isDescribed("Time", value)).as(value).isFalse();
                    assertThatExceptionOfType(ProblemException.class)
                            .as(value)
                            .isThrownBy(() -> parameters("at", value).time("at"));
                });
        assertThat(PARAMETERS.at("/at/schema/$ref").asText())
                .isEqualTo(PARAMETERS.at("/from/schema/$ref").asText())
                .isEqualTo(PARAMETERS.at("/to/schema/$ref").asText())
                .isEqualTo("#/components/schemas/Time");
    }

    @Test
    void prefixesRouteDistinguishersAndAsNumbersAreAcceptedAsDescribed() {
        for (String value : List.of("192.0.2.0/24", "0.0.0.0/0", "2001:db8::/32", "::/0", "1:2:3:4:5:6:7:8/128")) {
            assertThat(isDescribed("Prefix", value)).as(value).isTrue();
            assertThat(parameters("prefix", value).prefix("prefix")).as(value).isNotNull();
        }
        for (String value : List.of("192.0.2.0/33", "192.0.2/24", "2001:db8::/129", "1::2::/64", "x")) {
            assertThat(isDescribed("Prefix", value)).as(value).isFalse();
            assertThatExceptionOfType(ProblemException.class)
                    .as(value)
                    .isThrownBy(() -> parameters("prefix", value).prefix("prefix"));
        }
        for (String value : List.of(
                "64500:1", "65535:4294967295", "4294967295:65535", "1L:1", "192.0.2.1:65535", "0000fbf400000001")) {
            assertThat(isDescribed("RouteDistinguisher", value)).as(value).isTrue();
            assertThatNoException().as(value).isThrownBy(() -> RouteFilter.select(parameters("rd", value), null));
        }
        for (String value : List.of("65536:65536", "4294967296:1", "192.0.2.1:65536", "fbf4", "1:")) {
            assertThat(isDescribed("RouteDistinguisher", value)).as(value).isFalse();
            assertThatExceptionOfType(ProblemException.class)
                    .as(value)
                    .isThrownBy(() -> RouteFilter.select(parameters("rd", value), null));
        }
        for (String value : List.of("AS4294967295", "as0", "AS64500")) {
            assertThat(isDescribed("Asn", value)).as(value).isTrue();
            assertThat(parameters("origin_asn", value).asn("origin_asn"))
                    .as(value)
                    .isNotNull();
        }
        for (String value : List.of("AS4294967296", "ASN1", "AS")) {
            assertThat(isDescribed("Asn", value)).as(value).isFalse();
            assertThatExceptionOfType(ProblemException.class)
                    .as(value)
                    .isThrownBy(() -> parameters("origin_asn", value).asn("origin_asn"));
        }
    }

    @Test
    void familiesAreThoseThatHaveNames() {
        TreeSet<String> named = new TreeSet<>();
        for (int afi : new int[] {Family.AFI_IPV4, Family.AFI_IPV6, Family.AFI_L2VPN, Family.AFI_BGP_LS}) {
            IntStream.range(0, 256)
                    .mapToObj(safi -> Family.text(Family.of(afi, safi)))
                    .filter(name -> !name.startsWith("afi-"))
                    .forEach(named::add);
        }
        assertThat(new TreeSet<>(texts(SCHEMAS.at("/Family/anyOf/0/enum")))).isEqualTo(named);
    }

    /** The stream's own parameters, of which {@code includeRaw} and the header are no conditions. */
    @Test
    void theStreamHasTheParametersAndValuesOfItsFilter() {
        List<String> names = new ArrayList<>();
        DOCUMENT.path("paths")
                .path(BASE + "/stream")
                .at("/get/parameters")
                .forEach(parameter -> names.add(parameter.path("name").asText()));
        names.removeAll(List.of("includeRaw", "Last-Event-ID"));
        Map<String, String> conditions = Map.of(
                "host", "edge-1",
                "router", "edge-1",
                "peer", "192.0.2.1",
                "path", "^64500,[64501,64502]$",
                "prefix", "192.0.2.0/24",
                "moreSpecific", "true",
                "lessSpecific", "false",
                "view", "loc-rib",
                "family", "evpn");
        Set<String> all = new TreeSet<>(conditions.keySet());
        all.addAll(List.of("type", "require"));
        assertThat(new TreeSet<>(names)).isEqualTo(all);
        assertThatNoException().isThrownBy(() -> LiveFilter.parse(conditions, false));
        assertThat(isDescribed("PathPattern", "^64500,[64501,64502]$")).isTrue();
        for (String type : texts(SCHEMAS.at("/MessageType/enum"))) {
            assertThatNoException().as(type).isThrownBy(() -> LiveFilter.parse(Map.of("type", type), false));
        }
        for (String field : texts(SCHEMAS.at("/RequiredField/enum"))) {
            assertThatNoException().as(field).isThrownBy(() -> LiveFilter.parse(Map.of("require", field), false));
        }
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> LiveFilter.parse(Map.of("unknown", ""), false))
                .withMessage("'unknown' is not a filter: use " + String.join(", ", all));
    }
}
