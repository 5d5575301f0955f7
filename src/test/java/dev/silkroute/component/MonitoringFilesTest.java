package dev.silkroute.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The Grafana dashboards and the Prometheus rules are generated from {@code k8s/monitoring/panels.yaml}; they use
 * metrics that exist, and each alert has a test and a runbook.
 */
class MonitoringFilesTest {
    private static final Path FOLDER = Path.of("k8s/monitoring");
    private static final Path RUNBOOKS = Path.of("docs/how-to/runbooks.md");
    private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
    private static final String GENERATED = "# Generated from panels.yaml.\n";
    private static final Pattern METRIC = Pattern.compile("\\b(?:bmp|silkroute)_\\w+");
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final int COLUMNS = 3;
    private static final int WIDTH = 24 / COLUMNS;
    private static final int HEIGHT = 8;

    private static List<Map<String, Object>> dashboards;
    private static List<Map<String, Object>> alerts;

    @BeforeAll
    @SuppressWarnings("unchecked")
    static void load() throws IOException {
        Map<String, Object> source = (Map<String, Object>)
                new Load(LoadSettings.builder().setLabel("panels.yaml").build())
                        .loadFromString(Files.readString(FOLDER.resolve("panels.yaml")));
        dashboards = (List<Map<String, Object>>) source.get("dashboards");
        alerts = (List<Map<String, Object>>) source.get("alerts");
    }

    @Test
    void dashboardsAreThoseOfTheSource() throws IOException {
        for (Map<String, Object> dashboard : dashboards) {
            GeneratedPage.at(FOLDER.resolve("dashboards") + "/" + dashboard.get("name") + ".json")
                    .assertIs(JSON.writeValueAsString(grafana(dashboard)));
        }
        try (Stream<Path> files = Files.list(FOLDER.resolve("dashboards"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(dashboards.stream()
                            .map(dashboard -> dashboard.get("name") + ".json")
                            .toList());
        }
    }

    @Test
    void rulesAreThoseOfTheSource() throws IOException {
        String groups = groups();
        GeneratedPage.at("k8s/monitoring/prometheus/rules.yaml").assertIs(GENERATED + groups);
        GeneratedPage.at("k8s/monitoring/prometheus-rule.yaml").assertIs(GENERATED + """
                apiVersion: monitoring.coreos.com/v1
                kind: PrometheusRule
                metadata: {name: silkroute}
                spec:
                """ + groups.indent(2));
    }

    @Test
    void everyMetricExists() throws IOException {
        Set<String> names =
                Arrays.stream(Metric.values()).flatMap(MetricsPageTest::series).collect(Collectors.toSet());
        assertThat(METRIC.matcher(Files.readString(FOLDER.resolve("panels.yaml")))
                        .results()
                        .map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(names).contains(name));
    }

    @Test
    void everyAlertHasARunbookAndATestAndTheOtherWayRound() throws IOException {
        List<String> names = names();
        assertThat(headings(RUNBOOKS)).containsExactlyElementsOf(names);
        Set<String> tested = Pattern.compile("alertname: (\\w+)")
                .matcher(Files.readString(FOLDER.resolve("prometheus/rules.test.yaml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(tested).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void promtoolAcceptsTheRulesAndTheirTests() throws Exception {
        assumeThat(PROMTOOL)
                .as("promtool is installed (Debian package prometheus)")
                .isExecutable();
        assertThat(promtool("check", "rules", "rules.yaml")).contains(alerts.size() + " rules found");
        assertThat(promtool("test", "rules", "rules.test.yaml")).contains("SUCCESS");
    }

    @Test
    void promtoolAcceptsTheConfigurationThatTheGuideShows(@TempDir Path folder) throws Exception {
        assumeThat(PROMTOOL)
                .as("promtool is installed (Debian package prometheus)")
                .isExecutable();
        String shown = new MarkdownPage(Path.of("docs/how-to/monitor.md"))
                .blocks().stream()
                        .filter(block -> block.language().equals("yaml"))
                        .findFirst()
                        .orElseThrow()
                        .text();
        Path file = Files.writeString(folder.resolve("prometheus.yml"), shown);
        Files.copy(FOLDER.resolve("prometheus/rules.yaml"), folder.resolve("rules.yaml"));
        assertThat(promtool("check", "config", file.toString())).contains("1 rule files found", "SUCCESS");
    }

    private static String promtool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PROMTOOL.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.resolve("prometheus").toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static List<String> names() {
        return alerts.stream().map(alert -> (String) alert.get("alert")).toList();
    }

    private static List<String> headings(Path page) throws IOException {
        return Files.readAllLines(page).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .toList();
    }

    private static String groups() {
        StringBuilder out = new StringBuilder("groups:\n  - name: silkroute\n    rules:\n");
        for (Map<String, Object> alert : alerts) {
            out.append("      - alert: ").append(alert.get("alert")).append('\n');
            out.append("        expr: ").append(quoted(alert.get("expr"))).append('\n');
            if (alert.containsKey("for")) {
                out.append("        for: ").append(alert.get("for")).append('\n');
            }
            out.append("        labels: {severity: ")
                    .append(alert.get("severity"))
                    .append("}\n");
            out.append("        annotations:\n");
            out.append("          summary: ")
                    .append(quoted(alert.get("summary")))
                    .append('\n');
            out.append("          dashboard: silkroute-")
                    .append(alert.get("dashboard"))
                    .append('\n');
            out.append("          runbook: ")
                    .append(RUNBOOKS)
                    .append('#')
                    .append(alert.get("alert").toString().toLowerCase(Locale.ROOT))
                    .append('\n');
        }
        return out.toString();
    }

    /** Returns a YAML scalar in double quotes, of which JSON strings are a subset. */
    private static String quoted(Object text) {
        try {
            return new ObjectMapper().writeValueAsString(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Object> grafana(Map<String, Object> dashboard) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("uid", "silkroute-" + dashboard.get("name"));
        out.put("title", dashboard.get("title"));
        out.put("description", dashboard.get("description"));
        out.put("tags", List.of("silkroute"));
        out.put("schemaVersion", 39);
        out.put("refresh", "30s");
        out.put("time", Map.of("from", "now-6h"));
        out.put("templating", Map.of("list", variables(dashboard)));
        List<Map<String, Object>> panels = new ArrayList<>();
        for (Map<String, Object> panel : list(dashboard, "panels")) {
            panels.add(panel(panel, panels.size()));
        }
        out.put("panels", panels);
        return out;
    }

    private static List<Map<String, Object>> variables(Map<String, Object> dashboard) {
        List<Map<String, Object>> out = new ArrayList<>();
        out.add(new TreeMap<>(Map.of("name", "datasource", "type", "datasource", "query", "prometheus")));
        for (Object name : (List<?>) dashboard.getOrDefault("variables", List.of())) {
            String query = name.equals("router")
                    ? "label_values(silkroute_rib_router_routes, router)"
                    : "label_values(silkroute_rib_peer_routes{router=~\"$router\"}, " + name + ")";
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", name);
            variable.put("type", "query");
            variable.put("datasource", datasource());
            variable.put("query", query);
            variable.put("refresh", 2);
            variable.put("multi", true);
            variable.put("includeAll", true);
            variable.put("sort", 1);
            out.add(variable);
        }
        return out;
    }

    private static Map<String, Object> panel(Map<String, Object> panel, int number) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("id", number + 1);
        out.put("type", panel.getOrDefault("type", "timeseries"));
        out.put("title", panel.get("title"));
        if (panel.containsKey("description")) {
            out.put("description", panel.get("description"));
        }
        out.put("datasource", datasource());
        Map<String, Object> position = new LinkedHashMap<>();
        position.put("x", number % COLUMNS * WIDTH);
        position.put("y", number / COLUMNS * HEIGHT);
        position.put("w", WIDTH);
        position.put("h", HEIGHT);
        out.put("gridPos", position);
        Map<String, Object> defaults = new LinkedHashMap<>();
        defaults.put("unit", panel.getOrDefault("unit", "short"));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("defaults", defaults);
        fields.put("overrides", List.of());
        out.put("fieldConfig", fields);
        List<Map<String, Object>> targets = new ArrayList<>();
        for (Map<String, Object> query : list(panel, "queries")) {
            Map<String, Object> target = new LinkedHashMap<>();
            target.put("refId", String.valueOf((char) ('A' + targets.size())));
            target.put("expr", query.get("expr"));
            if (query.containsKey("legend")) {
                target.put("legendFormat", query.get("legend"));
            }
            targets.add(target);
        }
        out.put("targets", targets);
        return out;
    }

    private static Map<String, Object> datasource() {
        return new TreeMap<>(Map.of("type", "prometheus", "uid", "${datasource}"));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> map, String key) {
        return (List<Map<String, Object>>) map.get(key);
    }
}
