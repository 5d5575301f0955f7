package dev.silkroute.app.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.embedded.Ports;
import dev.silkroute.component.Metric;
import dev.silkroute.fixture.Browser;
import dev.silkroute.fixture.DashboardQueries;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestPrometheus;
import dev.silkroute.fixture.TestRouter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console and JMX over HTTP of a station with users, and of one without. */
class ManagementIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PASSWORD = "correct horse";
    private static final String MEMORY = "/hawtio/jolokia/read/java.lang:type=Memory/HeapMemoryUsage";
    private static final String ROUTE = "org.apache.camel:context=silkroute,type=routes,name=\"mirror\"";

    @TempDir
    private static Path folder;

    /** A row of the metrics: type, and name of the MBean. */
    private static final Pattern METRIC_ROW =
            Pattern.compile("\\| `[a-z_]+` \\| (gauge|counter|timer) \\|.*\\| `([A-Za-z]+)` \\|");

    private static int jmxPort;
    private static StationProcess station;
    private static HttpClient client;

    /** Returns the JVM options of the guide, with another port. */
    private static String jmxOptions() throws IOException {
        String option = "SILKROUTE_JAVA_OPTS=";
        return Files.readAllLines(Path.of("docs/how-to/hawtio.md")).stream()
                .filter(line -> line.startsWith(option))
                .map(line -> line.substring(option.length()).replace("9010", Integer.toString(jmxPort)))
                .findFirst()
                .orElseThrow();
    }

    @BeforeAll
    static void start() throws IOException {
        jmxPort = Ports.reserve(Ports.LOOPBACK);
        Path users = folder.resolve("users");
        Files.writeString(users, "ann=viewer:" + PASSWORD + "\nbob=operator:" + PASSWORD + "\n");
        Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-------"));
        station = StationProcess.startOnSharedServers(
                Map.of(
                        "SILKROUTE_MANAGEMENT_USERS_FILE",
                        users.toString(),
                        "SILKROUTE_JAVA_OPTS",
                        StationProcess.SHORT_LIVED + " " + jmxOptions(),
                        "SILKROUTE_SESSIONS_METRICS_INTERVAL",
                        "1s",
                        "SILKROUTE_WRITER_LAG_INTERVAL",
                        "1s"),
                folder.resolve("data"));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        client.close();
        station.close();
    }

    private static HttpRequest.Builder request(String user, String path) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(station.managementUrl() + path));
        String login = user + ":" + PASSWORD;
        return user.isEmpty()
                ? builder
                : builder.header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static JsonNode execute(String user, String operation) throws Exception {
        String body = JSON.writeValueAsString(Map.of("type", "exec", "mbean", ROUTE, "operation", operation));
        return JSON.readTree(send(request(user, "/hawtio/jolokia").POST(BodyPublishers.ofString(body)))
                .body());
    }

    private static String routeState() throws Exception {
        HttpRequest.Builder read = request("ann", "/hawtio/jolokia")
                .POST(BodyPublishers.ofString(
                        JSON.writeValueAsString(Map.of("type", "read", "mbean", ROUTE, "attribute", "State"))));
        return JSON.readTree(send(read).body()).path("value").asText();
    }

    @Test
    void onlyUsersGetTheConsole() throws Exception {
        assertThat(send(request("", "/hawtio/")).statusCode()).isEqualTo(401);
        assertThat(send(request("", MEMORY)).statusCode()).isEqualTo(401);
        assertThat(send(request("carl", MEMORY)).statusCode()).isEqualTo(401);
        assertThat(send(request("ann", MEMORY)).statusCode()).isEqualTo(200);
        assertThat(send(request("ann", "/hawtio/")).body()).contains("<title>Hawtio</title>");
        assertThat(send(request("ann", "/hawtio/camel/routes")).body()).contains("<title>Hawtio</title>");
        assertThat(send(request("bob", "/hawtio/user")).body()).isEqualTo("\"bob\"");
    }

    @Test
    void viewersReadAndOperatorsChangeWhichIsLogged() throws Exception {
        assertThat(execute("ann", "stop()").path("status").asInt()).isEqualTo(403);
        assertThat(routeState()).isEqualTo("Started");
        assertThat(execute("ann", "dumpRouteAsXml()").path("value").asText()).contains("<route");
        assertThat(execute("bob", "stop()").path("status").asInt()).isEqualTo(200);
        assertThat(routeState()).isEqualTo("Stopped");
        assertThat(execute("bob", "start()").path("status").asInt()).isEqualTo(200);
        assertThat(routeState()).isEqualTo("Started");
        assertThat(station.log())
                .contains("Execution of stop() of org.apache.camel:context=silkroute,type=routes,name=\"mirror\" by"
                        + " viewer ann rejected")
                .contains("by operator bob");
    }

    /** Follows the guide in a real browser. */
    @Test
    void aBrowserShowsRoutesAndTheirDiagramAndOnlyAnOperatorStopsOne() throws Exception {
        assumeThat(Browser.isInstalled()).as("Chromium is installed").isTrue();
        try (Browser operator = console("bob")) {
            selectRoutes(operator);
            assertThat(row(operator, "collector")).startsWith("collector Started");
            press(operator, "mirror", "Stop");
            operator.awaitUntil(() -> row(operator, "mirror").startsWith("mirror Stopped"));
            assertThat(routeState()).isEqualTo("Stopped");
            press(operator, "mirror", "Start");
            operator.awaitUntil(() -> row(operator, "mirror").startsWith("mirror Started"));
            assertThat(routeState()).isEqualTo("Started");
            operator.screenshot("hawtio-routes");
            click(operator, "a, button", "Route Diagram");
            operator.awaitUntil(() ->
                    operator.texts(".react-flow__node").stream().anyMatch(step -> step.contains("To pgcopy:bmp.mir")));
            operator.screenshot("hawtio-diagram");
        }
        try (Browser viewer = console("ann")) {
            selectRoutes(viewer);
            press(viewer, "mirror", "Stop");
            viewer.awaitUntil(() -> viewer.texts(".pf-m-danger").stream().anyMatch(alert -> alert.contains("mirror")));
            assertThat(routeState()).isEqualTo("Started");
        }
    }

    /** Opens the console as a user. Chromium sends the login of the first address with all requests that follow. */
    private static Browser console(String user) {
        String url = station.managementUrl() + "/hawtio/";
        String login = user + ":" + PASSWORD.replace(" ", "%20") + "@";
        Browser browser = Browser.open(url);
        browser.visit(url.replace("http://", "http://" + login));
        browser.visit(url + "camel");
        return browser;
    }

    private static void selectRoutes(Browser browser) {
        // Hawtio selects the Camel context once its tree is complete, which may be after a click.
        await().pollInterval(Duration.ofSeconds(1)).pollDelay(Duration.ZERO).until(() -> {
            if (!browser.address().contains("/camel/routes")) {
                click(browser, "button", "routes");
            }
            return browser.texts("table tbody tr").size() > 10;
        });
    }

    private static String row(Browser browser, String route) {
        return browser.texts("table tbody tr").stream()
                .map(row -> row.replaceAll("\\s+", " "))
                .filter(row -> row.startsWith(route + " "))
                .findFirst()
                .orElse("");
    }

    /** Ticks a route in the table, again if the table was redrawn without the tick, and presses a button above it. */
    private static void press(Browser browser, String route, String button) {
        browser.awaitUntil(() -> {
            browser.script("""
                    const box = [...document.querySelectorAll('table tbody tr')]
                        .find(row => row.innerText.trim().split(/\\s+/)[0] === arguments[0])?.querySelector('input');
                    if (box && !box.checked) {
                        box.click();
                    }""", route);
            return browser.texts("button:enabled").contains(button);
        });
        click(browser, "button", button);
    }

    /** Clicks an element as soon as there is one with this text. */
    private static void click(Browser browser, String selector, String text) {
        browser.awaitUntil(() -> browser.script("""
                        const element = [...document.querySelectorAll(arguments[0])].find(e => e.innerText.trim() === arguments[1]);
                        element?.click();
                        return element !== undefined;""", selector, text).equals(true));
    }

    @Test
    void nobodyReadsSecretsOrLeavesTheStation() throws Exception {
        String secret = "/hawtio/jolokia/read/java.lang:type=Runtime/SystemProperties";
        assertThat(JSON.readTree(send(request("bob", secret)).body())
                        .path("status")
                        .asInt())
                .isEqualTo(403);
        String commands = "/hawtio/jolokia/search/*:type=DiagnosticCommand";
        assertThat(JSON.readTree(send(request("bob", commands)).body()).path("value"))
                .isEmpty();
    }

    @Test
    void metricsAreMBeansToo() throws Exception {
        JsonNode sessions =
                JSON.readTree(send(request("ann", "/hawtio/jolokia/read/silkroute:type=gauges,name=bmpSessions/Value"))
                        .body());
        assertThat(sessions.path("value").asDouble(-1)).isZero();
    }

    /** The names of MBeans in the reference, each with the type of its metric. */
    private static Map<String, String> documentedBeans() throws IOException {
        return Files.readAllLines(Path.of("docs/reference/metrics.md")).stream()
                .map(line -> METRIC_ROW.matcher(line))
                .filter(Matcher::matches)
                .collect(Collectors.toMap(row -> row.group(2), row -> row.group(1)));
    }

    /** A client connects as the guide describes. */
    @Test
    void metricsAreDocumentedMBeansForAPlainClient() throws Exception {
        Map<String, String> types = Map.of("gauges", "gauge", "meters", "counter", "timers", "timer");
        Map<String, String> documented = documentedBeans();
        Set<String> seen = new HashSet<>();
        try (JMXConnector connector = JMXConnectorFactory.connect(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + jmxPort + "/jmxrmi"))) {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            assertThat(beans.getAttribute(new ObjectName("silkroute:type=gauges,name=bmpSessions"), "Value"))
                    .isEqualTo(0.0);
            for (ObjectName bean : beans.queryNames(new ObjectName("silkroute:*"), null)) {
                String name = bean.getKeyProperty("name").replaceAll("^\"|\"$|\\..*", "");
                assertThat(documented.get(name)).as(bean.toString()).isEqualTo(types.get(bean.getKeyProperty("type")));
                seen.add(bean.getKeyProperty("type"));
            }
            assertThat(beans.isRegistered(new ObjectName(ROUTE))).isTrue();
        }
        assertThat(seen).isEqualTo(types.keySet());
    }

    @Test
    void pagesOfOtherSitesAreRejected() throws Exception {
        assertThat(send(request("bob", MEMORY).header("Origin", "http://example.com"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(request("bob", MEMORY).header("Origin", station.managementUrl()))
                        .statusCode())
                .isEqualTo(200);
    }

    private static String metrics() throws Exception {
        return send(request("", "/q/metrics").header("Accept", "text/plain")).body();
    }

    @Test
    void metricsAreThoseDeclaredWithTheirTags() throws Exception {
        // Given
        Map<String, Metric> declared = new HashMap<>();
        for (Metric metric : Metric.values()) {
            declared.put(metric.prometheusName(), metric);
        }
        // When
        List<MatchResult> samples = Pattern.compile(
                        "(?m)^((?:bmp|silkroute)_\\w+?)(?:_count|_sum|_max)?(?:\\{(.*)})? \\S+$")
                .matcher(metrics())
                .results()
                .toList();
        // Then
        assertThat(samples).hasSizeGreaterThan(100);
        for (MatchResult sample : samples) {
            assertThat(declared).containsKey(sample.group(1));
            Set<String> tags = sample.group(2) == null
                    ? Set.of()
                    : Pattern.compile("(\\w+)=\"[^\"]*\"")
                            .matcher(sample.group(2))
                            .results()
                            .map(tag -> tag.group(1))
                            .collect(Collectors.toSet());
            assertThat(tags)
                    .as(sample.group())
                    .containsExactlyInAnyOrderElementsOf(
                            declared.get(sample.group(1)).tags());
        }
    }

    @Test
    void promtoolAcceptsTheMetrics() throws Exception {
        assumeThat(Path.of("/usr/bin/promtool"))
                .as("promtool is installed (Debian package prometheus)")
                .isExecutable();
        Process promtool = new ProcessBuilder("/usr/bin/promtool", "check", "metrics")
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = promtool.getOutputStream()) {
            in.write(metrics().getBytes(StandardCharsets.UTF_8));
        }
        String findings = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor()).as(findings).isZero();
        assertThat(findings).isEmpty();
    }

    /** A panel may have no result only if it is marked as optional in the source of the dashboards. */
    @Test
    void prometheusAnswersEveryPanelAndRule() throws Exception {
        assumeThat(TestPrometheus.PROGRAM).as("Prometheus is installed").isExecutable();
        // Given: a connected router with routes in two views
        Path data = Files.createDirectory(folder.resolve("prometheus"));
        try (TestRouter router = TestRouter.connect(station.bmpPort());
                InputStream capture =
                        new GZIPInputStream(ManagementIT.class.getResourceAsStream("/captures/frr-all.bmp.gz"))) {
            router.send(capture.readAllBytes());
            await("metrics of the router's tables")
                    .until(() -> station.meter("silkroute_lane_lag_records").isPresent()
                            && station.meter("silkroute_rib_router_routes", "view=\"loc-rib\"")
                                    .isPresent()
                            && station.meter("silkroute_pgcopy_rows_total", "lane=\"current\"")
                                            .orElse(0)
                                    > 0);
            // When
            try (TestPrometheus prometheus = TestPrometheus.scraping(
                    URI.create(station.managementUrl()).getAuthority(),
                    "/q/metrics",
                    Path.of("k8s/monitoring/prometheus/rules.yaml"),
                    data)) {
                // Then
                assertThat(DashboardQueries.of(false))
                        .allSatisfy(query -> assertThat(prometheus.query(query)).isNotEmpty());
                for (String query : DashboardQueries.of(true)) {
                    prometheus.query(query);
                }
                assertThat(prometheus.rules())
                        .isNotEmpty()
                        .allSatisfy(rule ->
                                assertThat(rule.path("lastError").asText()).isEmpty());
            }
        }
    }

    @Test
    void healthAndMetricsNeedNoUserAndAreOnTheMainPortToo() throws Exception {
        assertThat(send(request("", "/q/health/ready")).statusCode()).isEqualTo(200);
        assertThat(send(request("", "/q/metrics")).body()).contains("bmp_sessions");
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertThat(station.get("/q/metrics").body()).contains("bmp_sessions");
        assertThat(station.get("/hawtio/").statusCode()).isEqualTo(404);
    }
}
