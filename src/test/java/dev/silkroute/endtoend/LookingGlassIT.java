package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.fixture.Browser;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The looking glass in a real browser, on a station with one connected router, one that has lost its session, and one
 * whose name is markup.
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

    private static final String HOSTILE = "<img src=x onerror=document.title=1>";

    /** Each view with its heading. */
    private static final Map<String, String> VIEWS = new TreeMap<>(Map.ofEntries(
            Map.entry("", "Look up a route"),
            Map.entry("?q=" + ADDRESS, ADDRESS),
            Map.entry("?q=no%20such%20thing", "Routes"),
            Map.entry("?q=AS" + ORIGIN, "AS" + ORIGIN),
            Map.entry("?q=no-such-name.invalid", "no-such-name.invalid"),
            Map.entry("?view=compare&q=" + PREFIX, PREFIX),
            Map.entry("?view=history&q=" + PREFIX, PREFIX),
            Map.entry("?view=routers", "Routers"),
            Map.entry("?view=peers", "Peers"),
            Map.entry("?view=changes", "What changed"),
            Map.entry("?view=alerts&state=all", "Alerts"),
            Map.entry("?view=quarantine", "Quarantine"),
            Map.entry("?view=live", "Live")));

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
        Path rules = Files.writeString(
                folder.resolve("prefixes.yml"),
                PREFIX + ": {description: Customer A, asn: 64500, ignoreMorespecifics: true}\n" + WITHDRAWN
                        + ": {description: Customer B, asn: 64500, ignoreMorespecifics: true}\n");
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_ROUTES_ALERTS_ENABLED",
                        "true",
                        "SILKROUTE_ALERTS_RULES",
                        rules.toString(),
                        "SILKROUTE_ROUTER_NAMES",
                        "127.0.1.1=edge1,127.0.1.2=edge2",
                        "SILKROUTE_HTTP_COMMUNITY_NAMES",
                        names.toString()),
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
                    TestMessages.route(2),
                    TestMessages.monitoring(
                            TestMessages.update(new byte[] {24, (byte) 198, 51, 2}, new byte[0], new byte[0])),
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
                                + " " + count("frr-noap", route -> true) + " 1 2"));
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

    @Test
    void theSearchShowsEveryPathWithTheAttributesOfTheCapture() {
        browser.show("?q=" + ADDRESS, ADDRESS);
        browser.awaitUntil(() -> !browser.texts("tbody .path").isEmpty());
        JsonNode routes = json("/api/v1/lookup?address=" + ADDRESS);
        List<String> expected = new ArrayList<>();
        routes.forEach(route -> expected.add(String.join(
                " ",
                route.get("prefix").asText(),
                route.path("next_hop").asText(),
                route.path("as_path").asText(),
                route.get("stale").asText())));
        @SuppressWarnings("unchecked")
        List<String> shown = (List<String>) browser.script(
                "return [...document.querySelectorAll('tbody tr:not(.group)')].map(row => [row.querySelector('.prefix a').textContent,"
                        + " row.querySelector('[data-title=\"Next hop\"]').innerText.trim(), row.querySelector('.path').title,"
                        + " String(row.querySelector('.badge.stale') !== null)].join(' '))");
        assertThat(shown).containsExactlyInAnyOrderElementsOf(expected).hasSizeGreaterThan(4);
        assertThat(CaptureFiles.state("gobgp-all").stream()
                        .filter(route -> route.path("prefix").asText().equals(PREFIX)
                                && route.get("safi").asInt() == 1)
                        .map(route -> String.join(
                                " ",
                                PREFIX,
                                route.get("next_hop").asText(),
                                route.get("as_path").asText(),
                                "false")))
                .isNotEmpty()
                .allSatisfy(route -> assertThat(shown).contains(route));
        assertThat(browser.texts("tr.group")).contains("edge1", "edge2");
        assertThat(browser.texts(".summary")).first().asString().contains("longest match " + PREFIX);
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
    void aSearchForAnAsOrACommunityShowsTheRoutesOfTheRestApi() {
        Map.of("AS" + ORIGIN, "origin_asn=" + ORIGIN, "no-export", "community=65535:65281")
                .forEach((text, parameter) -> {
                    JsonNode routes = json("/api/v1/routes?" + parameter).get("data");
                    browser.show("?q=" + text, text.equals("no-export") ? "65535:65281" : text);
                    browser.awaitUntil(() -> browser.texts("tbody tr").size() == routes.size());
                    assertThat(routes).as(text).isNotEmpty();
                });
    }

    @Test
    void theComparisonMarksWhatPolicyChanged() {
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
        JsonNode events = json("/api/v1/routes/history?prefix=" + PREFIX).get("data");
        browser.show("?view=history&q=" + PREFIX, PREFIX);
        browser.awaitUntil(() -> browser.texts("table tbody tr").size() > events.size());
        assertThat(browser.texts(".summary")).first().asString().startsWith(events.size() + " events");
        browser.tabTo("#scrub");
        browser.press(Keys.HOME);
        String first = events.get(0).get("received_at").asText();
        long routes = 0;
        for (JsonNode event : events) {
            routes += event.get("received_at").asText().equals(first) ? 1 : 0;
        }
        long expected = routes;
        browser.awaitUntil(() -> browser.texts(".state-at tbody tr").size() == expected);
        browser.awaitUntil(() -> browser.address().contains("at="));
        assertThat(browser.texts(".graph text")).isEqualTo(List.of("4200000011", "64701", "4200001008", "3356"));
        assertThat(browser.texts(".graph .origin text")).containsExactly("3356");
        browser.show(browser.address().substring(browser.address().indexOf('?')), PREFIX);
        browser.awaitUntil(() -> browser.texts(".state-at tbody tr").size() == expected);
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
    }

    @Test
    void theDifferenceBetweenTwoMomentsIsListed() {
        String before = json("/api/v1/status").get("started_at").asText();
        browser.show("?view=changes&from=" + before, "What changed");
        browser.awaitUntil(() -> browser.texts("tbody .badge").contains("added"));
        assertThat(browser.texts("tbody .prefix")).isNotEmpty();
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
                "const [inputs, done] = arguments; import(new URL('attributes.js', document.querySelector('script').src))"
                        + ".then(async attributes => { await attributes.loadCommunityNames();"
                        + " done(inputs.map(attributes.communityName)); })",
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
                        "64513:999"));
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
                        null));
    }

    @Test
    void namesOfRoutersAreTextAndNeverMarkup() {
        browser.show("?view=routers", "Routers");
        browser.awaitUntil(() -> browser.texts("tbody th").size() == 3);
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
        JsonNode entry = json("/api/v1/quarantine").get(0);
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
        assertThat(browser.address()).endsWith("entry=" + entry.get("id").asText());
        browser.show("?view=quarantine&entry=" + entry.get("id").asText(), "Quarantine");
        browser.awaitUntil(() -> !browser.texts(".fields td.field").isEmpty());
        assertThat(String.valueOf(browser.script("return document.querySelector('.dump .fault')?.dataset.byte")))
                .isEqualTo(entry.get("byte_offset").asText());
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
        connected.send(capture, CaptureFiles.mark("gobgp-all"), capture.length, 65_536);
        browser.awaitUntil(() -> !tile("Routes").equals(before)
                && !tile("Route events per second").isEmpty());
        browser.awaitUntil(() -> tile("Routes")
                .equals(json("/api/v1/status").path("rib").path("routes").asText()));
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
            for (String scheme : List.of("light", "dark")) {
                browser.prefer(scheme);
                Object found = browser.asyncScript(
                        "const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(result => done(result.violations"
                                + ".map(v => v.id + ' ' + v.nodes[0].target + ' ' + v.nodes[0].failureSummary)))");
                ((List<?>) found).forEach(problem -> problems.add(view.getKey() + " " + scheme + ": " + problem));
            }
            browser.screenshot(view.getValue().replaceAll("\\W+", "-") + "-dark");
            browser.prefer("light");
            browser.resize(320, 700);
            if (!browser.script("return document.documentElement.scrollWidth <= 320")
                    .equals(true)) {
                problems.add(view.getKey() + " is wider than 320 pixels");
            }
        }
        browser.resize(1280, 800);
        assertThat(problems).isEmpty();
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
