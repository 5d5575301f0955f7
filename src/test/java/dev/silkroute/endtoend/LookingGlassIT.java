package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.Browser;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The looking glass in a real browser, on a station with one connected router, one that has lost its session, one whose
 * name is markup, and one with path markings, all five views and a message that cannot be decoded.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LookingGlassIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final String ADDRESS = "100.1.2.3";
    private static final String PREFIX = "100.0.0.0/8";
    /** A prefix that one router has announced and withdrawn. */
    private static final String WITHDRAWN = "198.51.2.0/24";
    /** An AS that originates few routes. */
    private static final String ORIGIN = "4200001000";

    /** A prefix for which several peers have routes, of which the routers have selected one. */
    private static final String CONTESTED = "152.204.140.0/22";
    /** A prefix whose routes have path markings, and one that is in all five views. */
    private static final String MARKED = "198.51.3.0/24";

    private static final String IN_ALL_VIEWS = "198.51.9.0/24";
    private static final String NAME = "www.silkroute.test";

    private static final String HOSTILE = "<img src=x onerror=document.title=1>";

    /** The names of the routers and the captures that they send. */
    private static final Map<String, String> CAPTURES = Map.of("edge1", "gobgp-all", "edge2", "frr-noap");

    private static final Map<String, String> VIEW_NAMES = Map.of(
            "in-pre", "Adj-RIB-In pre-policy",
            "in-post", "Adj-RIB-In post-policy",
            "loc", "Loc-RIB");

    private static final boolean IMAGES = Boolean.getBoolean("silkroute.docs.write");

    /** A bound for busy machines: docs/how-to/looking-glass.md has what was measured. */
    private static final double FIRST_CONTENT_MILLIS = 1000;

    /** Each view with its heading. */
    private static final Map<String, String> VIEWS = new TreeMap<>(Map.ofEntries(
            Map.entry("", "Look up a route"),
            Map.entry("?q=" + ADDRESS, ADDRESS),
            Map.entry("?q=no%20such%20thing", "Routes"),
            Map.entry("?q=AS" + ORIGIN, "AS" + ORIGIN),
            Map.entry("?q=no-such-name.invalid", "no-such-name.invalid"),
            Map.entry("?view=compare&q=" + IN_ALL_VIEWS, IN_ALL_VIEWS),
            Map.entry("?view=history&q=" + PREFIX, PREFIX),
            Map.entry("?view=routers", "Routers"),
            Map.entry("?view=peers", "Peers"),
            Map.entry("?view=changes", "What changed"),
            Map.entry("?view=alerts&state=all", "Alerts"),
            Map.entry("?view=quarantine", "Quarantine"),
            Map.entry("?view=live", "Live")));

    /**
     * Returns the prefixes in the Route Monitoring messages of a stream, each with the offset of its message and its
     * path identifier; and the fields that are incomplete, unknown, or do not follow the one before.
     */
    private static final String DISSECTION = """
            const [capture, done] = arguments;
            import(new URL('dissect.js', document.querySelector('script').src)).then(({dissect}) => {
                const stream = Uint8Array.from(atob(capture), char => char.charCodeAt(0));
                const prefixes = [];
                const errors = [];
                for (let at = 0, length; at < stream.length; at += length) {
                    length = new DataView(stream.buffer).getUint32(at + 1);
                    let end = 0;
                    let id = '';
                    for (const {offset, length: size, name, value, section} of dissect(stream.subarray(at, at + length))) {
                        if (offset !== end || !section || /^Other bytes|cut off|, but |more than/.test(`${name} ${value}`)) {
                            errors.push(`${at}: ${name} ${value}`);
                        }
                        end = offset + size;
                        if (stream[at + 5] === 0 && name.endsWith('path identifier')) {
                            id = value;
                        } else if (stream[at + 5] === 0 && /(prefix|NLRI)$/.test(name) && value.includes('/')) {
                            prefixes.push(`${at}|${id}|${value}`);
                            id = '';
                        }
                    }
                    if (end !== length) {
                        errors.push(`${at}: ends at ${end} of ${length}`);
                    }
                }
                done([prefixes, errors]);
            });""";

    @TempDir
    private static Path folder;

    private static StationProcess station;
    private static Browser browser;
    private static TestRouter connected;
    private static byte[] capture;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Browser.isInstalled(), "the Debian packages chromium and chromium-driver are missing");
        Path names = Files.createDirectory(folder.resolve("names"));
        Files.writeString(names.resolve("as64512.txt"), """
                # A comment, and a line without a community
                64512:999,marked by policy
                64512:100-199,range
                64512:5x,prepend $0 times
                64512:nnn:2x0,not to AS$0, digit $1
                soo 64512:nnn,site $0
                65000-65009:7,of AS$0
                """);
        for (MarkdownPage.Block block : new MarkdownPage(Path.of("docs/how-to/looking-glass.md")).blocks()) {
            String suffix = block.language().equals("text") ? "txt" : block.language();
            Files.writeString(names.resolve("as64500." + suffix), block.text());
        }
        Files.writeString(names.resolve("as64513.json"), """
                {"ietf-bgp-communities:bgp-communities": {
                  "regular": [
                    {"name": "SLOW", "global-admin": 64514, "local-admin": {"field": [{"name": "a", "pattern": "(1*)*"}]}},
                    {"name": "BROKEN", "global-admin": 64514, "local-admin": {"field": [{"name": "a", "pattern": "("}]}}],
                  "large": [
                    {"name": "LARGE", "description": "No export", "global-admin": 64513,
                      "local-data-part-1": {"field": [{"name": "Function", "pattern": "4"}]},
                      "local-data-part-2": {"field": [{"name": "AS", "pattern": ".*"}]}}],
                  "extended": [
                    {"name": "FJ", "description": "Fiji", "type": 0, "subtype": 8, "asn": 64513, "local-admin": {
                      "format": "binary", "field": [
                        {"name": "Reserved", "length": 21, "pattern": "0+", "description": "reserved"},
                        {"name": "Satellite", "length": 1, "pattern": "[01]"},
                        {"name": "Country", "length": 10, "pattern": "0011110010"}]}}]}}
                """);
        Path rules = Files.writeString(
                folder.resolve("prefixes.yml"),
                PREFIX + ": {description: Customer A, asn: 64500, ignoreMorespecifics: true}\n" + WITHDRAWN
                        + ": {description: Customer B, asn: 64500, ignoreMorespecifics: true}\n");
        Path hosts = Files.writeString(
                folder.resolve("hosts"),
                "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName() + "\n" + ADDRESS + " " + NAME
                        + "\n198.51.3.1 " + NAME + "\n");
        Path labels = Files.writeString(
                folder.resolve("labels.csv"), "router,peer,site\nedge1,,fra\n" + HOSTILE + ",," + HOSTILE + "\n");
        Path asNames = Files.writeString(folder.resolve("asns.json"), "{\"185518\": \"Example, <b>Inc.</b>\"}");
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_JAVA_OPTS",
                        StationProcess.SHORT_LIVED + " -Djdk.net.hosts.file=" + hosts,
                        "SILKROUTE_NAMES_LABELS",
                        labels.toString(),
                        "SILKROUTE_NAMES_AS_NAMES",
                        asNames.toString(),
                        "SILKROUTE_ROUTES_ALERTS_ENABLED",
                        "true",
                        "SILKROUTE_ALERTS_RULES",
                        rules.toString(),
                        "SILKROUTE_ROUTER_NAMES",
                        "127.0.1.1=edge1,127.0.1.2=edge2",
                        "SILKROUTE_HTTP_COMMUNITY_NAMES",
                        names.toString(),
                        // for busy machines: the page would show that the query took too long
                        "SILKROUTE_HTTP_QUERY_TIMEOUT",
                        "2m"),
                folder.resolve("data"));
        capture = CaptureFiles.stream("gobgp-all");
        connected = TestRouter.connect(station.bmpPort(), "127.0.1.1");
        connected.send(capture, 0, CaptureFiles.mark("gobgp-all"), 65_536);
        try (TestRouter lost = TestRouter.connect(station.bmpPort(), "127.0.1.2")) {
            byte[] other = CaptureFiles.stream("frr-noap");
            lost.send(other, 0, CaptureFiles.mark("frr-noap"), 65_536);
        }
        try (TestRouter hostile = TestRouter.connect(station.bmpPort(), "127.0.1.3")) {
            hostile.send(TestMessages.join(
                    TestMessages.initiation(HOSTILE),
                    TestMessages.peerUp("192.0.2.77"),
                    TestMessages.route(1),
                    TestMessages.route(2)));
            // The evaluation of alerts may begin with a state that includes what was sent: a route that is already
            // withdrawn then has no alert.
            await().atMost(LIMIT)
                    .until(() -> !json("/api/v1/alerts?prefix=" + WITHDRAWN)
                            .path("data")
                            .isEmpty());
            hostile.send(TestMessages.monitoring(
                    TestMessages.update(new byte[] {24, (byte) 198, 51, 2}, new byte[0], new byte[0])));
        }
        try (TestRouter other = TestRouter.connect(station.bmpPort(), "127.0.1.4")) {
            other.send(TestMessages.join(
                    TestMessages.initiation("edge3"),
                    TestMessages.peerUp("192.0.2.77"),
                    TestMessages.peerUp("192.0.2.78"),
                    marked("192.0.2.77", "00000002"),
                    marked("192.0.2.78", "00000004" + "0004"),
                    inAllViews(),
                    TestMessages.monitoring(TestMessages.update(
                            new byte[0], TestMessages.attributes(), new byte[] {33, (byte) 198, 51, 100, 0}))));
        }
        browser = Browser.open("http://127.0.0.1:" + station.httpPort() + "/");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(station.sql("SELECT"
                                + " (SELECT count(*) FROM bmp.v_rib WHERE router = 'edge1' AND rib_view = 'adj-rib-in-pre'"
                                + " AND family = 'ipv4-unicast') || ' ' || (SELECT count(*) FROM bmp.v_rib WHERE router = 'edge2'"
                                + " AND stale) || ' ' || (SELECT count(*) FROM bmp.v_quarantine) || ' ' || (SELECT count(*) FROM"
                                + " bmp.v_routers WHERE state = 'disconnected')"))
                        .containsExactly(count(
                                        "gobgp-all",
                                        route -> route.get("rib").asText().equals("in-pre")
                                                && route.get("afi").asInt() == 1
                                                && route.get("safi").asInt() == 1)
                                + " " + count("frr-noap", route -> true) + " 1 3"));
    }

    /** A route of BMP version 4. @param marking the status and, optionally, the reason, in hex */
    private static byte[] marked(String peer, String marking) {
        byte[] update = TestMessages.update(new byte[0], TestMessages.attributes(), new byte[] {24, (byte) 198, 51, 3});
        byte[] message = TestMessages.bmp(
                0,
                TestMessages.peerHeader(peer),
                indexedTlv(4, 0, update),
                indexedTlv(5, 1, TestMessages.hex(marking)));
        message[0] = 4;
        return message;
    }

    private static byte[] indexedTlv(int type, int index, byte[] value) {
        return new ByteSink()
                .u16(type)
                .u16(value.length)
                .u16(index)
                .bytes(value, 0, value.length)
                .toByteArray();
    }

    /**
     * A prefix in the five views. The import policy sets LOCAL_PREF and adds a community; the export policy prepends,
     * sets MED and removes both.
     */
    private static byte[] inAllViews() {
        byte[] received = TestMessages.attributes();
        byte[] accepted = TestMessages.join(
                received,
                TestMessages.attribute(0x40, 5, TestMessages.hex("000000c8")),
                TestMessages.attribute(0xC0, 8, TestMessages.hex("fc0003e7")));
        byte[] sent = TestMessages.join(
                TestMessages.attributes(2),
                TestMessages.attribute(0x40, 2, TestMessages.hex("02020000fde90000fde9")),
                TestMessages.attribute(0x80, 4, TestMessages.hex("00000032")));
        byte[] table = TestMessages.peerHeader(3, 0, "0.0.0.0", 65_001, 0x0A00_004D, 1_700_000_000);
        return TestMessages.join(
                TestMessages.bmp(3, table, TestMessages.local(), TestMessages.open(), TestMessages.open()),
                inView(view(0), received),
                inView(view(0x40), accepted),
                inView(table, accepted),
                inView(view(0x10), accepted),
                inView(view(0x50), sent));
    }

    private static byte[] view(int flags) {
        return TestMessages.peerHeader(0, flags, "192.0.2.77", 65_001, 0x0A00_004D, 1_700_000_000);
    }

    private static byte[] inView(byte[] peerHeader, byte[] attributes) {
        return TestMessages.bmp(
                0, peerHeader, TestMessages.update(new byte[0], attributes, new byte[] {24, (byte) 198, 51, 9}));
    }

    @AfterAll
    static void stop() throws IOException {
        if (browser != null) {
            browser.close();
        }
        if (connected != null) {
            connected.close();
        }
        if (station != null) {
            station.close();
        }
    }

    private static long count(String capture, Predicate<JsonNode> filter) {
        return CaptureFiles.state(capture).stream()
                .filter(route -> route.get("type").asText().equals("route_monitoring"))
                .filter(filter)
                .count();
    }

    /** A violation of the content security policy is an error on the console, too. */
    @AfterEach
    void theConsoleHasNoErrors() {
        assertThat(browser.errors()).isEmpty();
    }

    /** The rows of routes, each a line with the content of all cells. */
    @SuppressWarnings("unchecked")
    private static List<String> routeRows() {
        return (List<String>) browser.script("""
                let router;
                const text = node => node === null || node.querySelector('.absent') ? '' : node.innerText.trim();
                return [...document.querySelectorAll('tbody tr:not(.details)')].flatMap(row => {
                    if (row.matches('.group')) {
                        router = row.textContent;
                        return [];
                    }
                    const cell = title => row.querySelector(`[data-title="${title}"]`);
                    const parts = title => [...cell(title).querySelectorAll('.value > span > *')].map(part => part.textContent);
                    const name = [...cell('Prefix').querySelector('.value > span').childNodes].map(node => node.textContent);
                    return [[text(cell('Router')) || router, cell('Peer').querySelector('.value > span').firstChild.textContent, ...parts('Peer'),
                        row.querySelector('.view').firstChild.textContent, row.querySelector('.badge.stale') ? 'stale' : '', text(cell('Best')),
                        ...name, text(cell('Next hop')), row.querySelector('.path')?.title ?? '', text(cell('LP')), text(cell('MED')),
                        ...[...row.querySelectorAll('a.community')].map(link => link.firstChild.textContent)].join('|')];
                });""");
    }

    /** The same line for a route of a capture. */
    private static String routeRow(String router, JsonNode route, String best) {
        List<String> cells = new ArrayList<>(List.of(
                router,
                peer(route),
                "AS" + route.get("peer_as").asText(),
                VIEW_NAMES.get(route.get("rib").asText()),
                router.equals("edge2") ? "stale" : "",
                best));
        int family = Family.of(route.get("afi").asInt(), route.get("safi").asInt());
        cells.add(RouteText.destination(route));
        if (route.hasNonNull("rd")) {
            cells.add("RD " + route.get("rd").asText());
        }
        if (route.hasNonNull("path_id")) {
            cells.add("path " + route.get("path_id").asText());
        }
        if (route.get("safi").asInt() != 1) {
            cells.add(Family.text(family));
        }
        cells.add(route.path("next_hop").asText("").replaceAll(",.*", ""));
        cells.add(route.path("as_path").asText(""));
        cells.add(route.path("local_pref").asText(""));
        cells.add(route.path("med").asText(""));
        cells.addAll(RouteText.texts(route.path("communities")));
        cells.addAll(RouteText.texts(route.path("large")));
        cells.addAll(RouteText.extendedCommunities(RouteText.texts(route.path("ext"))));
        return String.join("|", cells);
    }

    private static String peer(JsonNode route) {
        return route.get("rib").asText().equals("loc")
                ? "router itself"
                : route.get("peer").asText();
    }

    private static List<JsonNode> state(String capture) {
        return CaptureFiles.state(capture).stream()
                .filter(route -> route.get("type").asText().equals("route_monitoring"))
                .toList();
    }

    /** Returns the routes with the longest prefix that covers another one, of each peer and view. */
    private static List<JsonNode> longestMatches(String capture, IpPrefix destination) {
        Map<String, List<JsonNode>> tables = state(capture).stream()
                .filter(route -> List.of(1, 4).contains(route.get("safi").asInt())
                        && IpPrefix.parse(route.get("prefix").asText()).covers(destination))
                .collect(Collectors.groupingBy(
                        route -> route.get("rib") + " " + route.get("peer") + " " + route.get("peer_id")));
        return tables.values().stream()
                .flatMap(routes -> {
                    int longest = routes.stream()
                            .mapToInt(LookingGlassIT::length)
                            .max()
                            .orElseThrow();
                    return routes.stream().filter(route -> length(route) == longest);
                })
                .toList();
    }

    private static int length(JsonNode route) {
        return IpPrefix.parse(route.get("prefix").asText()).length();
    }

    private static List<JsonNode> sameDestination(String capture, JsonNode route, String view) {
        return state(capture).stream()
                .filter(other -> other.get("rib").asText().equals(view))
                .filter(other -> List.of("afi", "safi", "prefix").stream()
                        .allMatch(name -> other.path(name).equals(route.path(name))))
                .toList();
    }

    /** Returns whether the Loc-RIB of a capture has the path that the policy made of a route. */
    private static boolean isSelected(String capture, JsonNode route) {
        JsonNode accepted = sameDestination(capture, route, "in-post").stream()
                .filter(other -> List.of("peer", "peer_id", "path_id").stream()
                        .allMatch(name -> other.path(name).equals(route.path(name))))
                .findFirst()
                .orElse(route);
        return sameDestination(capture, route, "loc").stream()
                .anyMatch(other -> List.of("as_path", "next_hop", "origin").stream()
                        .allMatch(name -> other.path(name).equals(accepted.path(name))));
    }

    /** Returns what the page shows about a route of a lookup. GoBGP's Loc-RIB may have several paths for a prefix. */
    private static String best(String capture, JsonNode route, List<JsonNode> matches) {
        int longest = matches.stream()
                .filter(other -> other.get("rib").asText().equals("loc"))
                .mapToInt(LookingGlassIT::length)
                .max()
                .orElseThrow();
        int paths = sameDestination(capture, route, "loc").size();
        if (length(route) < longest) {
            return "unknown";
        } else if (!route.get("rib").asText().equals("loc") && !isSelected(capture, route)) {
            return "not best";
        }
        return paths > 1 ? "unknown" : "best";
    }

    @Test
    void theSearchShowsEveryPathWithTheAttributesOfTheCaptureAndWhichIsBest() {
        for (String search : List.of(ADDRESS, CONTESTED)) {
            List<String> expected = new ArrayList<>();
            CAPTURES.forEach((router, capture) -> {
                List<JsonNode> matches = longestMatches(capture, IpPrefix.parse(search));
                matches.forEach(route -> expected.add(routeRow(router, route, best(capture, route, matches))));
            });
            browser.show("?q=" + search, search);
            browser.awaitUntil(() -> browser.texts("tbody .path").size() >= expected.size());
            assertThat(routeRows()).as(search).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(expected).hasSizeGreaterThan(4);
            assertThat(expected.stream().anyMatch(row -> row.contains("|not best|")))
                    .as(search)
                    .isEqualTo(search.equals(CONTESTED));
        }
        assertThat(browser.texts("tr.group")).containsExactly("edge1", "edge2");
        assertThat(browser.texts(".summary"))
                .first()
                .asString()
                .startsWith("15 paths of 2 routers · longest matches between /1 and /22");
        browser.awaitUntil(() -> browser.script("return performance.getEntriesByName('first-rows').length > 0")
                .equals(true));
        // The rows are in the first frame after the answer, not after something else that takes time.
        Object millis = browser.script("""
                const answer = performance.getEntriesByType('resource').findLast(entry => entry.name.includes('/lookup?'));
                return performance.getEntriesByName('first-rows').at(-1).startTime - answer.responseEnd;""");
        assertThat(((Number) millis).doubleValue()).isBetween(0.0, FIRST_CONTENT_MILLIS);
    }

    @Test
    void thePathMarkingDecidesWhatIsBestAndWithoutItThatIsUnknown() {
        browser.show("?q=" + MARKED, MARKED);
        browser.awaitUntil(() -> browser.texts("tr.group").contains("edge3"));
        assertThat(routeRows())
                .filteredOn(row -> row.startsWith("edge3|"))
                .satisfiesExactly(
                        row -> assertThat(row).contains("|192.0.2.77|", "|best|"),
                        row -> assertThat(row).contains("|192.0.2.78|", "|not best|"));
        browser.script("document.querySelectorAll('tbody .disclose').forEach(button => button.click())");
        assertThat(browser.texts("tr.details dd"))
                .contains(
                        "best",
                        "non-selected",
                        "not-preferred-as-path-length",
                        "The router has marked the path: non-selected, not-preferred-as-path-length.");
        browser.show("?view=compare&q=" + MARKED, MARKED);
        assertThat(browser.texts(".comparison tbody tr"))
                .contains("Path marking\tbest", "Reason of the marking\tnot-preferred-as-path-length");
        browser.show("?q=198.51.1.1", "198.51.1.1");
        browser.awaitUntil(() -> browser.texts("tr.group").contains(HOSTILE));
        assertThat(routeRows())
                .filteredOn(row -> row.startsWith(HOSTILE + "|"))
                .singleElement()
                .asString()
                .contains("|unknown|");
        assertThat(browser.texts(".legend span")).anyMatch(text -> text.startsWith("RPKI validity unknown"));
    }

    @Test
    void aNameIsLookedUpByItsAddresses() {
        browser.show("?q=" + NAME, ADDRESS);
        browser.awaitUntil(() -> !browser.texts("tbody .path").isEmpty());
        assertThat(browser.texts("nav.tools a")).containsExactly(ADDRESS, "198.51.3.1");
        browser.find("nav.tools a:not([aria-current])").click();
        browser.awaitHeading("198.51.3.1");
        browser.awaitUntil(() -> browser.texts("tbody .prefix a").contains(MARKED));
        assertThat(browser.address()).contains("q=" + NAME).contains("address=198.51.3.1");
    }

    @Test
    void aSearchCanBeDoneWithTheKeyboardAlone() throws Exception {
        browser.show("", "Look up a route");
        browser.press("/");
        browser.press(ADDRESS, Keys.ENTER);
        browser.awaitHeading(ADDRESS);
        assertThat(browser.address()).endsWith("/?q=" + ADDRESS);
        browser.tabTo("tbody .disclose");
        browser.press(Keys.ENTER);
        assertThat(browser.texts("tr.details dt")).contains("AS path", "Origin", "Next hop");
        browser.tabTo("tbody .prefix a");
        browser.press("/");
        assertThat(browser.script("return document.activeElement.id")).isEqualTo("q");
        browser.tabTo("#views a[href*='view=peers']");
        browser.press(Keys.ENTER);
        browser.awaitHeading("Peers");
        assertThat(browser.script("return document.activeElement.tagName")).isEqualTo("H1");
        browser.back();
        browser.awaitHeading(ADDRESS);
    }

    @Test
    void theFocusStaysWhereTheUserMovesItWhileAViewLoads() {
        browser.show("", "Look up a route");
        browser.script("""
                const request = window.fetch;
                const held = [];
                window.fetch = (...of) => new Promise(answer => held.push(() => answer(request(...of))));
                window.answer = () => { window.fetch = request; held.forEach(each => each()); };""");
        browser.tabTo("#views a[href*='view=peers']");
        browser.press(Keys.ENTER);
        browser.awaitUntil(() -> browser.address().contains("view=peers"));
        browser.tabTo("#at");
        browser.script("answer()");
        browser.awaitHeading("Peers");
        assertThat(browser.script("return document.activeElement.id")).isEqualTo("at");
    }

    @Test
    void aPrefixIsFollowedThroughTheViewsWithTheKeyboardAlone() {
        browser.show("", "Look up a route");
        browser.press("/");
        browser.press(CONTESTED, Keys.ENTER);
        browser.awaitHeading(CONTESTED);
        browser.tabTo("#views a[href*='view=compare']");
        browser.press(Keys.ENTER);
        browser.awaitUntil(() -> browser.texts(".badge.good").contains("selected"));
        browser.press("/");
        browser.tabTo("#views a[href*='view=history']");
        browser.press(Keys.ENTER);
        browser.awaitUntil(() -> browser.texts("#scrub").size() == 1);
        browser.tabTo("#scrub");
        browser.press(Keys.HOME);
        browser.awaitUntil(() -> browser.address().contains("at="));
        browser.tabTo(".state-at .path a");
        browser.press("/");
        browser.tabTo("#now");
        browser.press(Keys.ENTER);
        browser.awaitUntil(() -> !browser.address().contains("at="));
        browser.press("/");
        browser.tabTo("#views a[href*='view=peers']");
        browser.press(Keys.ENTER);
        browser.awaitHeading("Peers");
        browser.tabTo("tbody .disclose");
        browser.press(Keys.ENTER);
        assertThat(browser.texts("tr.details h2")).contains("OPEN sent by the router");
        browser.press("/");
        browser.tabTo("#views a[href*='view=quarantine']");
        browser.press(Keys.ENTER);
        browser.awaitHeading("Quarantine");
        browser.tabTo("tbody .disclose");
        browser.press(Keys.ENTER);
        browser.awaitUntil(() -> browser.texts(".dump .fault").size() == 1);
        browser.tabTo(".dump");
    }

    @Test
    void aSearchForAnAsOrACommunityShowsTheRoutesOfTheCaptures() {
        Map<String, Predicate<JsonNode>> searches = Map.of(
                "AS" + ORIGIN,
                route -> route.path("as_path").asText().endsWith(" " + ORIGIN),
                "65535:65281",
                route -> RouteText.texts(route.path("communities")).contains("65535:65281"),
                "4200000011:6:0",
                route -> RouteText.texts(route.path("large")).contains("4200000011:6:0"));
        searches.forEach((search, condition) -> {
            List<String> expected = new ArrayList<>();
            CAPTURES.forEach((router, capture) -> state(capture).stream()
                    .filter(condition)
                    .forEach(route -> expected.add(routeRow(router, route, isOnlyPath(route) ? "best" : "unknown"))));
            browser.show("?q=" + search, search);
            browser.awaitUntil(() -> browser.texts("tbody tr").size() == expected.size());
            assertThat(routeRows()).as(search).containsExactlyInAnyOrderElementsOf(expected);
        });
        browser.show("?q=no-export", "65535:65281");
    }

    /** Holds back all lines of the answer but the first. */
    @Test
    void rowsAppearBeforeTheAnswerIsComplete() {
        String community = "65535:65281";
        long expected = CAPTURES.values().stream()
                .mapToLong(capture -> count(
                        capture,
                        route -> RouteText.texts(route.path("communities")).contains(community)))
                .sum();
        browser.show("", "Look up a route");
        browser.script("""
                const original = window.fetch;
                const released = new Promise(resolve => { window.release = resolve; });
                window.fetch = async (url, options) => {
                    const response = await original(url, options);
                    return !url.includes('/routes?') ? response : new Response(response.body.pipeThrough(new TransformStream({
                        async transform(part, controller) {
                            const end = part.indexOf(10) + 1 || part.length;
                            controller.enqueue(part.subarray(0, end));
                            if (end < part.length) {
                                await released;
                                controller.enqueue(part.subarray(end));
                            }
                        },
                    })), {headers: response.headers});
                };""");
        browser.press("/");
        browser.press(community, Keys.ENTER);
        browser.awaitHeading(community);
        browser.awaitUntil(() -> browser.texts(".summary").equals(List.of("1 route…")));
        assertThat(browser.texts("tbody tr")).hasSize(1);
        browser.script("window.release()");
        browser.awaitUntil(() -> browser.texts("tbody tr").size() == expected);
        assertThat(browser.texts(".summary")).containsExactly(expected + " routes");
    }

    /** Without the other routes for the prefix, a route is known to be selected only in a Loc-RIB without ADD-PATH. */
    private static boolean isOnlyPath(JsonNode route) {
        return route.get("rib").asText().equals("loc") && !route.hasNonNull("path_id");
    }

    @Test
    void theComparisonMarksWhatPolicyChangedInTheFiveViews() {
        browser.show("?view=compare&q=" + IN_ALL_VIEWS, IN_ALL_VIEWS);
        assertThat(browser.texts(".outcome"))
                .containsExactly(
                        "From the peer: accepted, changed by policy selected",
                        "To the peer: advertised, changed by policy");
        assertThat(browser.texts(".comparison thead tr"))
                .containsExactly(
                        "Attribute\tAdj-RIB-In pre-policy\tAdj-RIB-In post-policy\tLoc-RIB",
                        "Attribute\tLoc-RIB\tAdj-RIB-Out pre-policy\tAdj-RIB-Out post-policy");
        assertThat(changedCells())
                .containsExactly(
                        "Local preference|Adj-RIB-In post-policy|none → 200",
                        "Communities|Adj-RIB-In post-policy|none → 64512:999",
                        "AS path|Adj-RIB-Out post-policy|65001 → 65001 65001",
                        "Local preference|Adj-RIB-Out post-policy|200 → none",
                        "MED|Adj-RIB-Out post-policy|none → 50",
                        "Communities|Adj-RIB-Out post-policy|64512:999 → none");
    }

    @SuppressWarnings("unchecked")
    private static List<String> changedCells() {
        return (List<String>) browser.script(
                "return [...document.querySelectorAll('.comparison td.changed')].map(cell => [cell.parentNode.querySelector('th').innerText,"
                        + " cell.dataset.title, cell.innerText.trim()].join('|'))");
    }

    @Test
    void theComparisonShowsWhichPathTheRouterHasSelected() {
        List<String> expected = new ArrayList<>();
        CAPTURES.forEach((router, capture) -> state(capture).stream()
                .filter(route -> route.path("prefix").asText().equals(CONTESTED)
                        && route.get("rib").asText().equals("in-pre"))
                .forEach(route -> expected.add(String.join(
                        "|",
                        router,
                        route.get("peer").asText(),
                        isSelected(capture, route) ? "selected" : "not selected"))));
        browser.show("?view=compare&q=" + CONTESTED, CONTESTED);
        @SuppressWarnings("unchecked")
        List<String> shown = (List<String>)
                browser.script(
                        "return [...document.querySelectorAll('.comparison')].map(section => [section.querySelector('h2 a').innerText,"
                                + " section.querySelector('h2').innerText.split(' · ')[1].split(/AS/)[0].trim(), section.querySelector('.outcome .badge').innerText].join('|'))");
        assertThat(shown).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(expected).anyMatch(row -> row.endsWith("|selected")).anyMatch(row -> row.endsWith("|not selected"));
    }

    @Test
    void theComparisonShowsACapturedPolicy() {
        JsonNode route = changedByPolicy();
        String prefix = route.get("prefix").asText();
        browser.show("?view=compare&q=" + prefix, prefix);
        String peer = route.get("peer_address").asText();
        @SuppressWarnings("unchecked")
        List<String> marked = (List<String>) browser.script(
                "const section = [...document.querySelectorAll('.comparison')].find(s => s.querySelector('h2').innerText.includes(arguments[0])"
                        + " && s.querySelector('h2').innerText.includes(arguments[1]));"
                        + "return [...section.querySelectorAll('td.changed ins')].map(e => e.textContent)",
                route.get("router").asText(),
                peer);
        assertThat(marked).contains("64512:999");
        assertThat(browser.texts(".outcome strong")).contains("accepted, changed by policy");
        browser.show("?q=64512:999", "64512:999");
        browser.awaitUntil(() -> browser.texts(".community .name").contains("marked by policy"));
    }

    /** The captured routers add the community 64512:999 to some routes. */
    private static JsonNode changedByPolicy() {
        JsonNode routes = json(
                "/api/v1/routes?community=64512:999&view=adj-rib-in-post&family=ipv4-unicast&router=edge2&limit=1");
        return routes.get("data").get(0);
    }

    @Test
    void theTimelineShowsTheRoutesOfTheChosenMoment() {
        List<String> expected = new ArrayList<>();
        CAPTURES.forEach((router, capture) -> CaptureFiles.messages(capture).stream()
                .filter(message -> message.path("prefix").asText().equals(PREFIX)
                        && message.get("off").asInt() < CaptureFiles.mark(capture))
                .forEach(message -> expected.add(String.join(
                        "|",
                        message.get("action").asText(),
                        router,
                        peer(message),
                        VIEW_NAMES.get(message.get("rib").asText())))));
        await().atMost(LIMIT)
                .until(() -> json("/api/v1/routes/history?prefix=" + PREFIX)
                                .get("data")
                                .size()
                        == expected.size());
        JsonNode events = json("/api/v1/routes/history?prefix=" + PREFIX).get("data");
        browser.show("?view=history&q=" + PREFIX, PREFIX);
        browser.awaitUntil(() -> browser.texts("table tbody tr").size() > events.size());
        assertThat(browser.texts(".summary")).first().asString().startsWith(events.size() + " events");
        assertThat(eventRows()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(browser.texts("tbody th.time a")).isSortedAccordingTo(Comparator.reverseOrder());
        browser.tabTo("#scrub");
        browser.press(Keys.HOME);
        String first = events.get(0).get("received_at").asText();
        long atFirst = 0;
        for (JsonNode event : events) {
            atFirst += event.get("received_at").asText().equals(first) ? 1 : 0;
        }
        long routes = atFirst;
        browser.awaitUntil(() -> browser.texts(".state-at tbody tr").size() == routes);
        browser.awaitUntil(() -> browser.address().contains("at="));
        assertThat(browser.texts(".graph text")).isEqualTo(List.of("4200000011", "64701", "4200001008", "3356"));
        assertThat(browser.texts(".graph .origin text")).containsExactly("3356");
        browser.show(browser.address().substring(browser.address().indexOf('?')), PREFIX);
        browser.awaitUntil(() -> browser.texts(".state-at tbody tr").size() == routes);
    }

    @SuppressWarnings("unchecked")
    private static List<String> eventRows() {
        return (List<String>)
                browser.script(
                        "return [...document.querySelectorAll('tbody tr')].filter(row => row.querySelector('[data-title=Event]')).map(row =>"
                                + " ['Event', 'Router', 'Peer', 'View'].map(title => row.querySelector(`[data-title=${title}]`).innerText.trim()).join('|'))");
    }

    @Test
    void theUrlNamesTheRowThatIsOpen() {
        await().atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(json("/api/v1/alerts?state=all").get("data")).isNotEmpty());
        Map.of(
                        "?q=" + CONTESTED,
                        CONTESTED,
                        "?q=AS" + ORIGIN,
                        "AS" + ORIGIN,
                        "?view=history&q=" + CONTESTED,
                        CONTESTED,
                        "?view=peers",
                        "Peers",
                        "?view=alerts&state=all",
                        "Alerts")
                .forEach((query, heading) -> {
                    browser.show(query, heading);
                    browser.awaitUntil(() -> !browser.texts("tbody .disclose").isEmpty());
                    browser.script("[...document.querySelectorAll('tbody .disclose')].at(-1).click()");
                    String opened = browser.texts("tr.details").getFirst();
                    String address = browser.address();
                    assertThat(address).contains("entry=");
                    browser.show(address.substring(address.indexOf('?')), heading);
                    browser.awaitUntil(() -> browser.texts("tr.details").equals(List.of(opened)));
                });
    }

    @Test
    void aGraphTooLargeToReadIsASentence() {
        Object texts = browser.asyncScript(
                "const done = arguments[0]; import(new URL('graph.js', document.querySelector('script').src)).then(({pathGraph}) => done("
                        + "[80, 81].map(size => pathGraph([Array.from({length: size}, (none, i) => 64512 + i).join(' ')])).map(e => `${e.tagName} ${e.textContent}`)))");
        assertThat((List<?>) texts)
                .satisfiesExactly(
                        graph -> assertThat(graph).asString().startsWith("DIV 64512"),
                        sentence -> assertThat(sentence).asString().startsWith("P The paths have 81 ASes."));
    }

    @Test
    void theRoutersAreThoseOfTheCaptures() {
        browser.show("?view=routers", "Routers");
        browser.awaitUntil(() -> browser.texts("tbody th").size() == 4);
        assertThat(cells("Router", "State", "Peer views up", "Flaps in 24 h", "System name", "Description"))
                .containsExactlyInAnyOrder(
                        String.join(
                                "|",
                                "edge1",
                                "connected",
                                "7 of 7",
                                "0",
                                information("gobgp-all", 2),
                                information("gobgp-all", 1)),
                        String.join(
                                "|",
                                "edge2",
                                "disconnected",
                                "0 of 7",
                                "1",
                                information("frr-noap", 2),
                                information("frr-noap", 1)),
                        String.join("|", HOSTILE, "disconnected", "0 of 1", "1", HOSTILE, "test"),
                        String.join("|", "edge3", "disconnected", "0 of 3", "1", "edge3", "test"));
    }

    private static String information(String capture, int type) {
        for (JsonNode tlv : messages(capture, "initiation").getFirst().get("tlvs")) {
            if (tlv.get(0).asInt() == type) {
                return tlv.get(1).asText();
            }
        }
        return "unknown";
    }

    private static List<JsonNode> messages(String capture, String type) {
        int mark = CaptureFiles.mark(capture);
        return CaptureFiles.messages(capture).stream()
                .filter(message -> message.get("type").asText().equals(type)
                        && message.get("off").asInt() < mark)
                .toList();
    }

    /** Returns the texts of some columns of each row, in one line. */
    @SuppressWarnings("unchecked")
    private static List<String> cells(String... titles) {
        return (List<String>) browser.script(
                "return [...document.querySelectorAll('tbody tr:not(.group, .details)')].map(row => arguments[0].map(title =>"
                        + " row.querySelector(`[data-title=\"${title}\"]`).innerText.trim()).join('|'))",
                List.of(titles));
    }

    /** The counts of the router are its newest statistics of type 7: routes in Adj-RIBs-In. */
    @Test
    void thePeersHaveTheStateTheFlapsTheCountsAndTheCapabilitiesOfTheCapture() {
        Map<String, JsonNode> ups = new LinkedHashMap<>();
        Map<String, Integer> flaps = new HashMap<>();
        messages("gobgp-all", "peer_up").forEach(up -> ups.put(up.get("peer").asText(), up));
        messages("gobgp-all", "peer_down")
                .forEach(down -> flaps.merge(down.get("peer").asText(), 1, Integer::sum));
        Map<String, Long> routerCounts = new HashMap<>();
        messages("gobgp-all", "stats")
                .forEach(report -> report.get("counters").forEach(counter -> {
                    if (counter.get(0).asInt() == 7) {
                        routerCounts.put(
                                report.get("peer").asText(), counter.get(1).asLong());
                    }
                }));
        List<String> expected = new ArrayList<>();
        ups.forEach((address, up) -> {
            long routes = count(
                    "gobgp-all",
                    route -> route.get("peer").asText().equals(address)
                            && route.get("rib").equals(up.get("rib")));
            Long counted = routerCounts.get(address);
            expected.add(String.join(
                    "|",
                    peer(up) + "AS" + up.get("peer_as").asText(),
                    VIEW_NAMES.get(up.get("rib").asText()),
                    "up",
                    String.valueOf(flaps.getOrDefault(address, 0)),
                    routes + " of " + (counted == null ? "unknown" : counted)));
        });
        browser.show("?view=peers&router=edge1", "Peers of edge1");
        browser.awaitUntil(() -> browser.texts("tbody .disclose").size() == expected.size());
        assertThat(cells("Peer", "View", "State", "Flaps in 24 h", "Routes, of the router’s"))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(expected).anyMatch(row -> row.contains("|1|")).anyMatch(row -> row.contains("|0|"));
        ups.forEach((address, up) -> {
            List<String> shown = openSent(peer(up));
            JsonNode sent = up.get("sent");
            List<String> families = new ArrayList<>();
            sent.get("mp")
                    .forEach(family -> families.add(Family.text(
                            Family.of(family.get(0).asInt(), family.get(1).asInt()))));
            Set<Integer> capabilities = new HashSet<>();
            sent.get("caps").forEach(code -> capabilities.add(code.asInt()));
            capabilities.remove(1);
            assertThat(shown)
                    .as(address)
                    .startsWith(
                            "AS|" + sent.get("asn").asText(),
                            "BGP ID|" + sent.get("bgp_id").asText(),
                            "Hold time|" + sent.get("hold").asText() + " s")
                    .hasSize(4 + capabilities.size());
            assertThat(Set.of(shown.get(3).substring("Families|".length()).split(", ")))
                    .as(address)
                    .isEqualTo(families.isEmpty() ? Set.of("none") : Set.copyOf(families));
        });
        browser.show("?view=peers&router=edge2", "Peers of edge2");
        browser.awaitUntil(() -> browser.texts("tbody .disclose").size() == ups.size());
        assertThat(cells("State", "Flaps in 24 h"))
                .containsExactlyInAnyOrder("stale|0", "stale|0", "stale|0", "stale|1", "stale|1", "stale|1", "stale|1");
    }

    /** Opens a peer's row and returns the content of the OPEN that the router sent it. */
    @SuppressWarnings("unchecked")
    private static List<String> openSent(String peer) {
        return (List<String>) browser.script("""
                const row = [...document.querySelectorAll('tbody tr:not(.group, .details)')].find(row =>
                    row.querySelector('[data-title=Peer] .value > span').firstChild.textContent === arguments[0]);
                row.querySelector('.disclose').click();
                return [...row.nextElementSibling.querySelectorAll('section:nth-child(2) dl div')].map(fact =>
                    `${fact.firstChild.innerText}|${fact.lastChild.innerText}`);""", peer);
    }

    @Test
    void thePastIsOneParameter() {
        String before = Instant.parse(json("/api/v1/status").get("started_at").asText())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        browser.show("?q=" + ADDRESS + "&at=" + before, ADDRESS);
        assertThat(browser.texts(".summary")).containsExactly("No router has a route for this address.");
        assertThat(browser.find("#past").isDisplayed()).isTrue();
        browser.find("#views a[href*='view=routers']").click();
        browser.awaitHeading("Routers");
        assertThat(browser.texts(".summary")).containsExactly("No router had connected to this station.");
        browser.show("?view=peers&at=" + before, "Peers");
        assertThat(browser.texts(".summary")).containsExactly("0 peer views, 0 up");
        browser.show("?q=" + ADDRESS + "&at=" + before, ADDRESS);
        browser.find("#now").click();
        browser.awaitUntil(() -> !browser.texts("tbody .path").isEmpty());
        assertThat(browser.address()).doesNotContain("at=");
        browser.show("?view=alerts&state=all&at=" + before, "Alerts");
        assertThat(browser.texts(".summary")).containsExactly("No alert.");
    }

    @Test
    void theDifferenceBetweenTwoMomentsIsListed() {
        String before = json("/api/v1/status").get("started_at").asText();
        browser.show("?view=changes&from=" + before, "What changed");
        browser.awaitUntil(() -> browser.texts("tbody .badge").contains("added"));
        assertThat(browser.texts("tbody .prefix")).isNotEmpty();
    }

    @Test
    void theDifferenceEndsWithTheMomentOfThePageAndBeginsAnHourBeforeIt() {
        Instant at =
                Instant.parse(json("/api/v1/status").get("started_at").asText()).truncatedTo(ChronoUnit.SECONDS);
        browser.show("?view=changes&at=" + at, "What changed");
        browser.find(".moments button").click();
        browser.awaitUntil(
                () -> browser.texts(".summary").stream().anyMatch(text -> text.startsWith("Nothing changed")));
        assertThat(browser.address()).endsWith("?view=changes&at=" + at + "&from=" + at.minus(1, ChronoUnit.HOURS));
    }

    @Test
    void whatATextIsIsRecognized() {
        Object kinds = browser.asyncScript(
                "const [inputs, done] = arguments; import(new URL('search.js', document.querySelector('script').src))"
                        + ".then(search => done(inputs.map(input => { const query = search.parse(input); return query === null ? null"
                        + " : `${query.kind} ${query.text}`; })))",
                List.of(
                        "10.0.0.1",
                        "2001:db8::1",
                        "::",
                        "1:2:3:4:5:6:7:8",
                        "10/8",
                        "10.0.0.0/8",
                        "::/0",
                        "AS1",
                        "as 1.10",
                        "64500",
                        "4294967296",
                        "1:2",
                        "1:2:3",
                        "rt:1:2",
                        "no-export",
                        "64500:*",
                        "*:1:*",
                        "ff",
                        "Rtr1.example.net",
                        "a..b"));
        assertThat(kinds)
                .isEqualTo(Arrays.asList(
                        "address 10.0.0.1",
                        "address 2001:db8::1",
                        "address ::",
                        "address 1:2:3:4:5:6:7:8",
                        "prefix 10/8",
                        "prefix 10.0.0.0/8",
                        "prefix ::/0",
                        "as 1",
                        "as 65546",
                        "as 64500",
                        null,
                        "community 1:2",
                        "community 1:2:3",
                        "community rt:1:2",
                        "community 65535:65281",
                        "community 64500:*",
                        "community *:1:*",
                        null,
                        "name rtr1.example.net",
                        null));
    }

    @Test
    void communitiesHaveTheNamesOfTheConfiguredFiles() {
        Object names = browser.asyncScript(
                "const [inputs, done] = arguments; import(new URL('communitynames.js', document.querySelector('script').src))"
                        + ".then(async names => { await names.loadCommunityNames();"
                        + " done(inputs.map(names.communityName)); })",
                List.of(
                        "64512:999",
                        "64512:100",
                        "64512:199",
                        "64512:200",
                        "64512:53",
                        "64512:5",
                        "64512:64500:270",
                        "64512:64500:271",
                        "soo:64512:7",
                        "65535:666",
                        "65003:7",
                        "64513:999",
                        "64500:100",
                        "64500:250",
                        "64500:3:7",
                        "64500:2103",
                        "64500:2107",
                        "64500:21033",
                        "bgp-data-collection:64513:242",
                        "bgp-data-collection:64513:1266",
                        "64513:4:64500",
                        "64514:1"));
        assertThat(names)
                .isEqualTo(Arrays.asList(
                        "marked by policy",
                        "range",
                        "range",
                        null,
                        "prepend 3 times",
                        null,
                        "not to AS64500, digit 7",
                        null,
                        "site 7",
                        "blackhole",
                        "of AS65003",
                        null,
                        "learned from a customer",
                        "learned in Europe",
                        "prepend 3 times to AS7",
                        "Prepend in Europe (Times 3)",
                        null,
                        null,
                        "Fiji (Satellite 0)",
                        "Fiji (Satellite 1)",
                        "No export (AS 64500)",
                        null));
    }

    @Test
    void aLabelIsALinkThatSelectsRoutersAndPeers() {
        browser.show("?view=routers", "Routers");
        browser.awaitUntil(() -> browser.texts("a.community").size() == 2);
        assertThat(browser.texts("a.community")).containsExactlyInAnyOrder("site:fra", "site:" + HOSTILE);
        browser.find("a.community[href*='label=site:fra']").click();
        browser.awaitUntil(() -> browser.texts("tbody th").equals(List.of("edge1")));
        browser.show("?view=peers&label=site:fra", "Peers");
        browser.awaitUntil(() -> browser.texts("tr.group").equals(List.of("edge1")));
        browser.find("nav[aria-label=Label] a").click();
        browser.awaitUntil(() -> browser.texts("tr.group").containsAll(List.of("edge1", "edge2")));
    }

    @Test
    void anAsNumberHasItsNameAsATooltip() {
        browser.show("?q=103.210.6.1", "103.210.6.1");
        browser.awaitUntil(() -> browser.script("return document.querySelector('a.as[title]') !== null")
                .equals(true));
        assertThat(browser.script(
                        "return [...new Set([...document.querySelectorAll('a.as[title]')].map(e => e.title))]"))
                .isEqualTo(List.of("AS185518 Example, <b>Inc.</b>"));
    }

    @Test
    void namesOfRoutersAreTextAndNeverMarkup() {
        browser.show("?view=routers", "Routers");
        browser.awaitUntil(() -> browser.texts("tbody th").size() == 4);
        assertThat(browser.texts("tbody th")).contains("edge1", "edge2", HOSTILE);
        browser.show("?q=198.51.1.1", "198.51.1.1");
        browser.awaitUntil(() -> browser.texts("tr.group").contains(HOSTILE));
        assertThat(browser.script("return document.querySelectorAll('main img').length"))
                .isEqualTo(0L);
        browser.find("tr.group a").click();
        browser.awaitHeading("Peers of " + HOSTILE);
    }

    @Test
    void aQuarantinedMessageIsDissected() {
        browser.show("?view=quarantine", "Quarantine");
        browser.awaitUntil(() -> !browser.texts("tbody .disclose").isEmpty());
        browser.find("tbody .disclose").click();
        JsonNode entry = json("/api/v1/quarantine").get("data").get(0);
        assertThat(String.valueOf(browser.script(
                        "return [...document.querySelectorAll('.dump [data-byte]')].map(e => e.textContent).join('')")))
                .isEqualTo(entry.get("bytes").asText());
        assertThat(browser.texts(".fields td.field"))
                .contains(
                        "0 Route Monitoring",
                        "192.0.2.77",
                        "65001",
                        "2 UPDATE",
                        "0 IGP",
                        "2 AS_SEQUENCE",
                        "length 33, more than 32 bits");
        assertThat(browser.texts(".fields tr.fault th")).containsExactly("NLRI");
        assertThat(browser.texts(".fields tr.fault .rfc")).containsExactly("RFC 4271, 4.3");
        assertThat(browser.texts("td[data-title=RFC]"))
                .containsExactly(entry.get("rfc_section").asText());
        assertThat(browser.address()).endsWith("entry=" + entry.get("id").asText());
        browser.show("?view=quarantine&entry=" + entry.get("id").asText(), "Quarantine");
        browser.awaitUntil(() -> !browser.texts(".fields td.field").isEmpty());
        assertThat(String.valueOf(browser.script("return document.querySelector('.dump .fault')?.dataset.byte")))
                .isEqualTo(entry.get("byte_offset").asText());
    }

    /**
     * The messages do not contain whether the peer sends path identifiers, and FRR sends AS paths of two octets without
     * the flag for them.
     */
    @Test
    void everyByteOfTheCapturesIsAFieldAndEveryPrefixThatOfTheOtherDecoder() {
        browser.show("", "Look up a route");
        for (String capture : List.of("gobgp-all", "gobgp-mirror", "frr-all", "bird-noap")) {
            List<String> expected = CaptureFiles.messages(capture).stream()
                    .filter(route -> route.get("type").asText().equals("route_monitoring")
                            && route.hasNonNull("prefix")
                            && route.get("safi").asInt() <= 2)
                    .map(route -> String.join(
                            "|",
                            route.get("off").asText(),
                            route.path("path_id").asText(""),
                            route.get("prefix").asText()))
                    .sorted()
                    .toList();
            List<?> found = (List<?>)
                    browser.asyncScript(DISSECTION, Base64.getEncoder().encodeToString(CaptureFiles.stream(capture)));
            assertThat((List<?>) found.get(1)).as(capture).isEmpty();
            List<String> prefixes = ((List<?>) found.get(0))
                    .stream().map(String::valueOf).sorted().toList();
            assertThat(prefixes.equals(expected)).as(capture).isTrue();
            assertThat(expected).hasSizeGreaterThan(500);
        }
        List<?> version4 = (List<?>)
                browser.asyncScript(DISSECTION, Base64.getEncoder().encodeToString(marked("192.0.2.77", "00000002")));
        assertThat(version4).isEqualTo(List.of(List.of("0||" + MARKED), List.of()));
    }

    @Test
    void addressesInDissectedMessagesAreCanonical() {
        Object texts = browser.asyncScript(
                "const [inputs, done] = arguments; Promise.all(['reader.js', 'dissect.js'].map(file => import(new URL(file, document.querySelector('script').src))))"
                        + ".then(([{address}, {bytesOf}]) => done(inputs.map(input => address(bytesOf(input)))))",
                List.of(
                        "c0000201",
                        "00000000000000000000000000000000",
                        "00000000000000000000000000000001",
                        "20010db8000000000000000000000000",
                        "20010000000000010000000000000001",
                        "20010db8000100010001000100010000"));
        assertThat(texts)
                .isEqualTo(List.of("192.0.2.1", "::", "::1", "2001:db8::", "2001:0:0:1::1", "2001:db8:1:1:1:1:1:0"));
    }

    @Test
    void alertsAreListedWithTheirEvidence() {
        for (String state : List.of("open&prefix=" + PREFIX, "closed&prefix=" + WITHDRAWN)) {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(
                                    json("/api/v1/alerts?state=" + state).get("data"))
                            .isNotEmpty());
        }
        JsonNode open = json("/api/v1/alerts?prefix=" + PREFIX).get("data").get(0);
        browser.show("?view=alerts", "Alerts");
        browser.awaitUntil(() -> !browser.texts("tbody .disclose").isEmpty());
        assertThat(browser.texts("td[data-title=Rule]")).containsOnly("origin-change");
        assertThat(browser.texts("td[data-title=Condition]"))
                .contains(open.get("condition").asText());
        browser.tabTo("tbody .disclose");
        browser.press(Keys.ENTER);
        List<String> paths = new ArrayList<>();
        open.get("evidence").forEach(row -> paths.add(row.get("as_path").asText()));
        browser.awaitUntil(() -> browser.texts("tr.details tbody .prefix a").size() == paths.size());
        assertThat(browser.texts("tr.details li"))
                .contains(open.get("suppressed_by").get(0).asText());
        browser.tabTo("tr.details tbody .prefix a");
        browser.press(Keys.ENTER);
        browser.awaitHeading(PREFIX);
        assertThat(browser.address()).contains("view=history").contains("at=");
        browser.back();
        browser.awaitHeading("Alerts");

        browser.show("?view=alerts&state=closed&prefix=" + WITHDRAWN, "Alerts");
        browser.awaitUntil(() -> browser.texts("td[data-title=About]").contains(WITHDRAWN));
        assertThat(browser.texts(".summary")).containsExactly("1 closed alert");
        browser.find("tbody .disclose").click();
        browser.awaitUntil(() -> browser.texts("tr.details td").contains(HOSTILE));
        assertThat(browser.script("return document.querySelectorAll('main img').length"))
                .isEqualTo(0L);
        browser.find("td[data-title=Rule] a").click();
        browser.awaitUntil(() -> browser.address().contains("rule=origin-change"));
        browser.show("?view=alerts&rule=rpki-invalid&state=all", "Alerts");
        assertThat(browser.texts(".summary")).containsExactly("No alert.");
    }

    /** Writes the images of the documentation, like generated pages. */
    @Test
    @EnabledIfSystemProperty(named = "silkroute.docs.write", matches = "true")
    void theImagesOfTheDocumentationAreWritten() throws IOException {
        String changed = changedByPolicy().get("prefix").asText();
        image("?q=" + changed, changed, "routes", 1280, 700);
        image("?view=compare&q=" + changed, changed, "compare", 1280, 760);
        image("?view=history&q=" + CONTESTED, CONTESTED, "history", 1280, 900);
        image("?view=peers&router=edge1", "Peers of edge1", "peers", 1280, 520);
        browser.show("?view=quarantine", "Quarantine");
        browser.find("tbody .disclose").click();
        browser.resize(1280, 860);
        browser.image("looking-glass-quarantine");
        browser.prefer("dark");
        image("?q=" + changed, changed, "dark", 1280, 700);
        browser.prefer("light");
        image("?q=" + changed, changed, "narrow", 360, 760);
        browser.resize(1280, 800);
    }

    private static void image(String state, String heading, String name, int width, int height) throws IOException {
        browser.resize(width, height);
        browser.show(state, heading);
        browser.awaitUntil(() -> !browser.texts("tbody tr").isEmpty());
        browser.image("looking-glass-" + name);
    }

    /** Last, because it ends the session of the connected router. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theLiveViewFollowsTheStation() throws IOException {
        browser.show("?view=live", "Live");
        browser.awaitUntil(() -> browser.texts(".plot canvas").size() == 2);
        assertThat(browser.script("return getComputedStyle(document.querySelector('.u-wrap')).position"))
                .isEqualTo("relative");
        String before = json("/api/v1/status").path("rib").path("routes").asText();
        browser.awaitUntil(() -> tile("Routes").equals(before));
        browser.awaitUntil(() -> line(0)[1] > 0 && line(1)[1] > 0);
        int[] rate = line(0);
        int[] routes = line(1);
        connected.send(capture, CaptureFiles.mark("gobgp-all"), capture.length, 65_536);
        browser.awaitUntil(() -> !tile("Routes").equals(before)
                && !tile("Route events per second").isEmpty());
        browser.awaitUntil(() -> tile("Routes")
                .equals(json("/api/v1/status").path("rib").path("routes").asText()));
        // Then: the rate has a peak above its line, and the table has become smaller
        browser.awaitUntil(() -> line(0)[0] < rate[0] - 20 && line(1)[1] > routes[1] + 20);
        if (IMAGES) {
            browser.image("looking-glass-live");
        }
    }

    /** Returns the highest and the lowest pixel row of the line that a plot has drawn. */
    private static int[] line(int plot) {
        List<?> ends = (List<?>) browser.script("""
                const [plot, name] = arguments;
                const canvas = document.querySelectorAll('.plot canvas')[plot];
                const probe = document.createElement('canvas').getContext('2d');
                probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
                probe.fillRect(0, 0, 1, 1);
                const color = probe.getImageData(0, 0, 1, 1).data;
                const {data, width, height} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                const rows = [];
                for (let y = 0; y < height; y++) {
                    for (let x = 0; x < width; x++) {
                        const at = 4 * (y * width + x);
                        if (data[at + 3] > 200 && [0, 1, 2].every(i => Math.abs(data[at + i] - color[i]) < 8)) {
                            rows.push(y);
                            break;
                        }
                    }
                }
                return [rows[0] ?? 0, rows.at(-1) ?? 0];""", plot, plot == 0 ? "--accent" : "--good");
        return ends.stream().mapToInt(end -> ((Number) end).intValue()).toArray();
    }

    private static String tile(String title) {
        return browser.texts(".tiles div").stream()
                .map(text -> text.split("\n"))
                .filter(lines -> lines[0].equals(title))
                .map(lines -> lines[1].replace(",", ""))
                .findFirst()
                .orElse("");
    }

    @Test
    void everyViewIsAccessibleInLightAndDarkAndNarrow() throws Exception {
        String axe;
        try (InputStream script = getClass().getResourceAsStream("/axe.min.js")) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> problems = new ArrayList<>();
        for (var view : VIEWS.entrySet()) {
            browser.resize(1280, 800);
            browser.show(view.getKey(), view.getValue());
            browser.script("document.querySelector('tbody .disclose')?.click()");
            browser.script(axe);
            for (int width : List.of(1280, 320)) {
                browser.resize(width, 800);
                browser.prefer("light");
                problems.addAll(violations(view.getKey() + " light " + width, "{resultTypes: ['violations']}"));
                // Only colors depend on the scheme.
                browser.prefer("dark");
                problems.addAll(violations(view.getKey() + " dark " + width, "{runOnly: ['color-contrast']}"));
                browser.screenshot(view.getValue().replaceAll("\\W+", "-") + "-dark-" + width);
            }
            browser.prefer("light");
            if (!browser.script("return document.documentElement.scrollWidth <= 320")
                    .equals(true)) {
                problems.add(view.getKey() + " is wider than 320 pixels");
            }
        }
        browser.resize(1280, 800);
        assertThat(problems).isEmpty();
    }

    private static List<String> violations(String state, String options) {
        List<?> found = (List<?>)
                browser.asyncScript(
                        "const done = arguments[0]; axe.run(" + options
                                + ").then(result => done(result.violations.map(v => v.id + ' ' + v.nodes[0].target + ' ' + v.nodes[0].failureSummary)))");
        return found.stream().map(problem -> state + ": " + problem).toList();
    }

    @Test
    void thePageIsRevalidatedAndItsAssetsAreKept() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> page = client.send(request("/").build(), BodyHandlers.ofString());
            assertThat(page.headers().firstValue("Cache-Control")).contains("no-cache");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            String tag = page.headers().firstValue("ETag").orElseThrow();
            assertThat(client.send(request("/").header("If-None-Match", tag).build(), BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(304);
            Matcher script = Pattern.compile("assets/\\w+/app.js").matcher(page.body());
            assertThat(script.find()).isTrue();
            HttpResponse<byte[]> asset = client.send(
                    request("/" + script.group())
                            .header("Accept-Encoding", "gzip")
                            .build(),
                    BodyHandlers.ofByteArray());
            assertThat(asset.headers().firstValue("Cache-Control").orElse("")).contains("immutable");
            assertThat(asset.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(client.send(request("/assets/0/app.js").build(), BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + station.httpPort() + path));
    }

    private static JsonNode json(String path) {
        return CaptureFiles.parse(station.get(path).body());
    }
}
