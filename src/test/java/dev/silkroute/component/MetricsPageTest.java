package dev.silkroute.component;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.collector.sessions.DumpEnd;
import dev.silkroute.collector.sessions.Quota;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.postgres.withdrawal.WithdrawalCause;
import dev.silkroute.rib.RouteOutcome;
import dev.silkroute.route.RouteChange;
import dev.silkroute.session.Anomaly;
import dev.silkroute.session.LaneName;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.NamingConvention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/reference/metrics.md contains every metric, and other pages refer only to metrics that exist. */
class MetricsPageTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.silkroute");

    /** Beginnings of names, with the heading of their metrics. */
    private static final Map<String, String> SECTIONS = sections();

    private static Map<String, String> sections() {
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put("bmp.", "BMP sessions and messages");
        sections.put("silkroute.data.", "BMP sessions and messages");
        sections.put("silkroute.lane.", "Lanes");
        sections.put("silkroute.pgcopy.", "Lanes");
        sections.put("silkroute.pgstate.", "State");
        sections.put("silkroute.pgpipe.", "Pipelines to PostgreSQL");
        sections.put("silkroute.maintenance.", "Maintenance of the database");
        sections.put("silkroute.reconcile.", "Maintenance of the database");
        sections.put("silkroute.rib.", "RIB");
        sections.put("silkroute.http.", "REST API");
        sections.put("silkroute.clock.", "BMP sessions and messages");
        sections.put("silkroute.incomplete.", "Lanes");
        sections.put("silkroute.rpki.", "RPKI");
        sections.put("silkroute.tracing.", "Traces");
        sections.put("silkroute.names.", "Labels and names");
        sections.put("silkroute.alerts.", "Alerts");
        sections.put("silkroute.live.", "Live stream");
        sections.put("silkroute.flows.", "Flows");
        sections.put("silkroute.netty.ff.", "Fire-and-forget sender");
        return sections;
    }

    private static final String INTRODUCTION = """
        # Metrics

        This page is generated from the code. Prometheus reads the metrics at `/q/metrics` on the management port; the
        same ones are MBeans for JMX (below). Metrics of the JVM, the HTTP server and Netty
        (`jvm_`, `process_`, `system_`, `http_server_`, `worker_pool_`, `netty_`) are those of Micrometer and Quarkus.

        A metric of the type timer is a summary in Prometheus: `…_count` and `…_sum` in seconds. Values are those of one
        process, and counters begin at 0 when it starts. Metrics by router and peer are limited: those of sessions to
        `silkroute.sessions.metrics-limit` routers (`bmp_routers_omitted` is the number of the others), those of the RIB to
        `silkroute.rib.metrics-limit` routers and peers. All other tags have few values, which depend on the
        configuration and not on what routers send.

        In JMX ([Hawtio and JMX](../how-to/hawtio.md)), a metric has the domain `silkroute`, a type, and the name in the column *MBean*. Each tag and its value follow
        the name: `silkroute:type=gauges,name=silkrouteLaneLagRecords.lane.history.topic.bmp_routes`, for example.

        | metric | type of the MBean | attribute |
        |---|---|---|
        | gauge | `gauges` | `Value` |
        | counter | `meters` | `Count` |
        | timer | `timers` | `Count`, `Mean`, `Max` and others |
        """;

    private static String section(Metric metric) {
        return SECTIONS.entrySet().stream()
                .filter(section -> metric.meterName().startsWith(section.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no section for " + metric));
    }

    /** Returns the names that a metric has in Prometheus. */
    static Stream<String> series(Metric metric) {
        String name = metric.prometheusName();
        return metric.type() == Metric.Type.TIMER ? Stream.of(name, name + "_count", name + "_sum") : Stream.of(name);
    }

    private static List<String> row(Metric metric) {
        String name = metric.meterName();
        String unit = name.endsWith(".seconds") ? "seconds" : name.endsWith(".bytes") ? "bytes" : "";
        return List.of(
                "`" + metric.prometheusName() + "`",
                metric.type().name().toLowerCase(Locale.ROOT),
                unit,
                metric.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", ")),
                metric.description(),
                "`" + NamingConvention.camelCase.name(metric.meterName(), Meter.Type.OTHER) + "`");
    }

    private static <E> String values(E[] values, Function<E, String> text) {
        return Arrays.stream(values).map(value -> "`" + text.apply(value) + "`").collect(Collectors.joining(", "));
    }

    private static List<List<String>> tags() {
        String types = values(MessageType.values(), MessageType::text) + ", `unknown`";
        return List.of(
                List.of("`anomaly`", values(Anomaly.values(), Anomaly::text) + " ([BMP](bmp.md#anomalies))"),
                List.of("`cause`", values(WithdrawalCause.values(), WithdrawalCause::text)),
                List.of(
                        "`kind`",
                        values(LaneName.values(), LaneName::text).replace("`routes`, ", "")
                                + ", as in the names of topics"),
                List.of(
                        "`lane`",
                        "a consumer that stores the records of a topic in PostgreSQL, with offsets of its own: `history`,"
                                + " `current` and others ([`lane:`](lane.md))"),
                List.of(
                        "`outcome` of `bmp_decode_outcomes_total`",
                        values(DecodeOutcome.Kind.values(), DecodeOutcome.Kind::text) + " ([BMP](bmp.md#metrics))"),
                List.of(
                        "`outcome` of `silkroute_live_messages_total`",
                        "`delivered`, `missed`, `discarded` ([live stream](stream.md#limits))"),
                List.of(
                        "`outcome` of `silkroute_rib_events_total`",
                        values(RouteOutcome.values(), outcome -> outcome.name().toLowerCase(Locale.ROOT))),
                List.of("`quota`", values(Quota.values(), Quota::text) + " ([limits](../explanation/limits.md))"),
                List.of(
                        "`reason` of `bmp_dumps_ended_total`",
                        values(DumpEnd.values(), DumpEnd::text)
                                + " ([scaling](../how-to/scaling.md#many-table-dumps-at-once))"),
                List.of(
                        "`reason` of `bmp_sessions_ended_total`",
                        values(SessionEnd.values(), SessionEnd::text) + " ([BMP](bmp.md#metrics))"),
                List.of("`role`", "`rib`; `collector` for the RIB of `silkroute.changes.enabled`"),
                List.of("`type`", types),
                List.of("`view`", values(RibView.values(), RibView::text)));
    }

    @Test
    void pageIsCurrent() throws IOException {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        Map<String, List<List<String>>> rows = Arrays.stream(Metric.values())
                .collect(Collectors.groupingBy(
                        MetricsPageTest::section,
                        LinkedHashMap::new,
                        Collectors.mapping(MetricsPageTest::row, Collectors.toList())));
        rows.forEach((section, metrics) -> page.append("\n## ")
                .append(section)
                .append("\n\n")
                .append(GeneratedPage.table(List.of("metric", "type", "unit", "tags", "meaning", "MBean"), metrics)));
        page.append("\n## Values of tags\n\n").append(GeneratedPage.table(List.of("tag", "values"), tags()));

        GeneratedPage.at("docs/reference/metrics.md").assertIs(page.toString());
    }

    @ParameterizedTest
    @EnumSource
    void nameFollowsPrometheus(Metric metric) {
        assertThat(metric.meterName()).matches("(bmp|silkroute)(\\.[a-z]+)+");
        assertThat(metric.prometheusName()).doesNotEndWith("_total_total");
        assertThat(metric.description()).matches("(?s)[A-Z0-9].*[^.]");
        if (metric.type() == Metric.Type.TIMER) {
            assertThat(metric.meterName()).endsWith(".duration.seconds");
        }
    }

    @Test
    void everyMetricIsRegisteredSomewhere() {
        Set<String> used = CLASSES.get(Metric.class).getFields().stream()
                .flatMap(field -> field.getAccessesToSelf().stream())
                .filter(access -> !access.getOriginOwner().isEquivalentTo(Metric.class))
                .map(JavaFieldAccess::getTarget)
                .map(target -> target.getName())
                .collect(Collectors.toSet());

        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Metric.values()).map(Enum::name).toList());
    }

    @Test
    void onlyMeterGroupRegistersMeters() {
        ArchRuleDefinition.noClasses()
                .that()
                .doNotHaveFullyQualifiedName(MeterGroup.class.getName())
                .and()
                .doNotHaveSimpleName("LibraryMeters")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("io\\.micrometer\\.core\\.instrument\\..*\\$Builder")
                .check(CLASSES);
    }

    @Test
    void reasonsOutcomesAnomaliesAndCausesAreDescribed() throws IOException {
        assertDescribes("docs/reference/bmp.md", "reason", SessionEnd.values(), SessionEnd::text);
        assertDescribes("docs/reference/bmp.md", "outcome", DecodeOutcome.Kind.values(), DecodeOutcome.Kind::text);
        assertDescribes("docs/reference/bmp.md", "anomaly", Anomaly.values(), Anomaly::text);
        assertDescribes("docs/reference/pgstate.md", "cause", WithdrawalCause.values(), WithdrawalCause::text);
        assertDescribes("docs/reference/rib.md", "`change`", RouteChange.values(), RouteChange::text);
    }

    /** Asserts that the table with this heading describes exactly these values. A row may describe several. */
    private static <E> void assertDescribes(String page, String heading, E[] values, Function<E, String> text)
            throws IOException {
        List<String> rows = Files.readString(Path.of(page))
                .lines()
                .dropWhile(line -> !line.startsWith("| " + heading + " | meaning |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .flatMap(line -> Pattern.compile("`([^`]+)`")
                        .matcher(line.substring(0, line.indexOf(" |", 1)))
                        .results())
                .map(cell -> cell.group(1))
                .toList();
        assertThat(rows)
                .as("values in the table %s of %s", heading, page)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(values)
                        .map(text)
                        .filter(value -> !value.isEmpty())
                        .toList());
    }

    /** In documentation and manifests, a metric's name ends with a unit or {@code _total}, or has labels. */
    @Test
    void noPageRefersToAMetricThatDoesNotExist() throws IOException {
        Pattern reference = Pattern.compile(
                "\\b(?:bmp|silkroute)_[a-z_]+(?:_total|_seconds|_bytes|_records)\\b"
                        + "|\\b(?:bmp|silkroute)_[a-z_]+(?=\\{)|\\bsilkroute_[a-z]+_[a-z_]+\\b"
                        // Without its prefix
                        + "|(?<=`)(?:lane|pgcopy|pgstate|pgpipe|rib|live|alerts|rpki)_[a-z_]+(?:_total|_seconds|_bytes|_records)\\b");
        Set<String> names =
                Arrays.stream(Metric.values()).flatMap(MetricsPageTest::series).collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (Path root : List.of(Path.of("docs"), Path.of("k8s"), Path.of("README.md"))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> each.toString().matches(".*\\.(md|yaml)"))
                        .toList()) {
                    reference
                            .matcher(Files.readString(file))
                            .results()
                            .map(MatchResult::group)
                            .filter(name -> !names.contains(name))
                            .forEach(name -> unknown.add(file + ": " + name));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }
}
