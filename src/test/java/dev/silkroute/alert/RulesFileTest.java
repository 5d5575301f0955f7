package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.alert.path.AsRelations;
import dev.silkroute.alert.path.PathCondition;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The format of BGPalerter's prefixes.yml. */
class RulesFileTest {
    /** All fields that BGPalerter documents, with the trailing comma of its example. */
    private static final String ALL_FIELDS = """
            192.0.2.0/24:
              description: Customer A
              asn: 64500
              ignoreMorespecifics: false
              ignore: false,
              group: noc
              excludeMonitors:
                - withdrawal-detection
              path:
                match: ".*64501,64502$"
                notMatch: ".*64503.*"
                matchDescription: detected scrubbing center
                maxLength: 128
                minLength: 2
            2001:db8::/32:
              description: No description provided
              asn:
                - 64500
                - 64510
              ignoreMorespecifics: true
              includeMonitors: [basic-hijack-detection]
            options:
              monitorASns:
                64500:
                  group: default
                  upstreams: [64501]
            """;

    @Test
    void fileWithAllFieldsIsRead() {
        AlertRules rules = RulesFile.parse(ALL_FIELDS);
        MonitoredPrefix first = rules.entries().iterator().next();

        assertThat(rules.size()).isEqualTo(2);
        assertThat(first.asns()).isEqualTo(Set.of(64500L));
        assertThat(first.group()).isEqualTo("noc");
        assertThat(first.ignore()).isFalse();
        assertThat(first.has(AlertRule.VISIBILITY_LOSS)).isFalse();
        assertThat(first.has(AlertRule.AS_PATH)).isTrue();
        assertThat(rules.monitoredAs(64500)).isEqualTo(new MonitoredAs("default", Set.of(64501L), null));
        MonitoredPrefix second = rules.entries().stream().skip(1).findFirst().orElseThrow();
        assertThat(second.has(AlertRule.MORE_SPECIFIC)).isTrue();
        assertThat(second.has(AlertRule.RPKI_INVALID)).isFalse();
        assertThat(second.asns()).containsExactly(64500L, 64510L);
    }

    /** The file has each form of an entry that BGPalerter documents or has in its examples. */
    @Test
    void exampleOfBgpalerterIsRead() throws IOException {
        AlertRules rules = RulesFile.read(Path.of("src/test/resources/dev/silkroute/alert/prefixes.yml"));

        assertThat(rules.entries().stream().map(entry -> entry.prefix().toString()))
                .as("without host bits")
                .containsExactly(
                        "94.5.4.0/22",
                        "98.5.4.0/22",
                        "165.254.225.0/24",
                        "170.254.205.0/24",
                        "175.254.205.0/24",
                        "192.147.168.0/24",
                        "2a00:5884::/32",
                        "2a0e:240::/32");
        assertThat(entry(rules, "94.5.7.0/24").group()).isEqualTo("noc");
        assertThat(entry(rules, "94.5.7.0/24").paths().getFirst().matches("1 2914"))
                .isTrue();
        assertThat(entry(rules, "94.5.7.0/24").paths().getFirst().matches("5060 2914"))
                .isFalse();
        assertThat(entry(rules, "98.5.4.0/22").paths()).hasSize(2);
        assertThat(entry(rules, "192.147.168.0/24").ignoreMoreSpecifics()).isTrue();
        assertThat(entry(rules, "165.254.225.0/24").ignoreMoreSpecifics()).isFalse();
        assertThat(entry(rules, "2a00:5884::/32").asns()).containsExactly(204_092L, 45L);
        assertThat(entry(rules, "2a0e:240::/32").ignore()).isTrue();
        MonitoredPrefix excluding = entry(rules, "175.254.205.0/24");
        assertThat(excluding.has(AlertRule.ORIGIN_CHANGE)).isFalse();
        assertThat(excluding.has(AlertRule.VISIBILITY_LOSS)).isFalse();
        assertThat(excluding.has(AlertRule.NEW_PREFIX)).isTrue();
        MonitoredPrefix including = entry(rules, "170.254.205.0/24");
        assertThat(including.has(AlertRule.NEW_PREFIX)).isTrue();
        assertThat(including.has(AlertRule.ORIGIN_CHANGE)).isFalse();
        assertThat(rules.monitoredAs(2914)).isEqualTo(new MonitoredAs("noc", Set.of(100L), Set.of(104L)));
        assertThat(rules.monitoredAs(80)).isEqualTo(new MonitoredAs("default", Set.of(99L), null));
        assertThat(rules.monitoredAs(3333)).isEqualTo(new MonitoredAs("default", null, null));
    }

    private static MonitoredPrefix entry(AlertRules rules, String prefix) {
        IpPrefix parsed = IpPrefix.parse(prefix);
        return Objects.requireNonNull(rules.find(parsed.ipv6(), parsed.high(), parsed.low(), parsed.length()));
    }

    @Test
    void twoEntriesOfOnePrefixAreRejected() {
        assertInvalid(
                "94.5.4.3/22: {asn: 1}\n94.5.5.0/22: {asn: 2}",
                "94.5.5.0/22: 94.5.4.0/22 has another entry, because bits after the prefix length do not count");
    }

    @Test
    void pathsMatchWithinTheirBounds() {
        PathCondition path =
                RulesFile.parse(ALL_FIELDS).entries().iterator().next().paths().getFirst();
        assertThat(path.matches("64501 64502")).isFalse();
        assertThat(path.matches("1 64501 64502".repeat(1))).isFalse();
        assertThat(path.matches("1 ".repeat(130) + "64501 64502")).isTrue();
        assertThat(path.matches("1 ".repeat(130) + "64503 64501 64502")).isFalse();
    }

    @Test
    void errorsNameTheEntry() {
        assertInvalid("192.0.2.0/24: {description: x}", "192.0.2.0/24 has no asn");
        assertInvalid("192.0.2.0/24: {asn: x}", "192.0.2.0/24: 'x' is not an AS number");
        assertInvalid("192.0.2.0/33: {asn: 1}", "'192.0.2.0/33' is not a valid IPv4 prefix");
        assertInvalid("192.0.2.0: {asn: 1}", "'192.0.2.0' is not a prefix with its length");
        assertInvalid("192.0.2.0/24: {asn: 1, path: {match: '('}}", "192.0.2.0/24: '(' is not a regular expression");
        assertInvalid(
                "192.0.2.0/24: {asn: 1, ignore: perhaps}", "192.0.2.0/24: ignore is true or false, not 'perhaps'");
        assertInvalid("- 1", "the file is not a map");
    }

    @Test
    void unknownFieldsAreRejectedWithTheNearestKnownOne() {
        assertInvalid(
                "192.0.2.0/24: {asn: 1, ignoreMoreSpecifics: true}",
                "192.0.2.0/24: unknown field 'ignoreMoreSpecifics', did you mean ignoreMorespecifics?");
        assertInvalid(
                "192.0.2.0/24: {asn: 1, path: {matches: '1'}}",
                "192.0.2.0/24: path: unknown field 'matches', did you mean match?");
        assertInvalid(
                "options: {monitorAsns: {64500: {}}}",
                "options: unknown field 'monitorAsns', did you mean monitorASns?");
        assertInvalid(
                "options: {monitorASns: {64500: {upstream: [1]}}}",
                "monitorASns: 64500: unknown field 'upstream', did you mean upstreams?");
    }

    /** As {@code bgpalerter generate} writes them. */
    @Test
    void argumentsWithWhichBgpalerterHasMadeTheFileAreWithoutEffect() {
        AlertRules rules = RulesFile.parse("""
                options:
                  monitorASns:
                    '64500': {group: noc}
                  generate:
                    asnList: ['64500']
                    exclude: []
                    excludeDelegated: true
                    prefixes: null
                    monitoredASes: ['64500']
                    historical: true
                    group: noc
                """);
        assertThat(rules.size()).isZero();
        assertThat(rules.monitoredAs(64500)).isEqualTo(new MonitoredAs("noc", null, null));
    }

    @Test
    void routersAreFoundByTheFirstPatternThatMatches() {
        AlertRules rules = RulesFile.parse("""
                options:
                  monitorRouters:
                    edge-1: {goneAfter: 90s, group: noc}
                    "edge-*": {goneAfter: 5m, peerGoneAfter: 10m}
                """);
        MonitoredRouter first = rules.monitoredRouter("edge-1");
        MonitoredRouter second = rules.monitoredRouter("edge-12");
        assertThat(first).isNotNull();
        assertThat(first.goneAfterMicros()).hasValue(90_000_000);
        assertThat(first.peerGoneAfterMicros()).isEmpty();
        assertThat(first.group()).isEqualTo("noc");
        assertThat(second).isNotNull();
        assertThat(second.peerGoneAfterMicros()).hasValue(600_000_000);
        assertThat(rules.monitoredRouter("core-1")).isNull();
        assertInvalid(
                "options: {monitorRouters: {x: {goneAfter: 5}}}",
                "monitorRouters: x: goneAfter: '5' is not a duration such as 500ms, 30s, 1h30m or 7d");
    }

    @Test
    void tablesHaveRangesOfRoutes() {
        AlertRules rules = RulesFile.parse("""
                options:
                  monitorTables:
                    - {router: edge-1, peer: 2001:DB8:0::1, view: loc-rib, family: ipv6-unicast, max: 3}
                    - {router: "edge-*", peer: "*", view: loc-rib, family: ipv6-unicast, change: 20%, within: 1h}
                """);
        MonitoredTable first = rules.monitoredTable(table("edge-1", "2001:db8::1"));
        assertThat(first).isNotNull();
        assertThat(first.max()).hasValue(3);
        assertThat(first.min()).isEmpty();
        assertThat(first.settleMicros()).isEqualTo(600_000_000);
        MonitoredTable second = rules.monitoredTable(table("edge-1", "2001:db8::2"));
        assertThat(second).isNotNull();
        assertThat(second.changePercent()).hasValue(20);
        assertThat(second.withinMicros()).isEqualTo(3_600_000_000L);
        assertThat(rules.monitoredTable(table("core-1", "2001:db8::2"))).isNull();
        assertThat(rules.monitoredTable(new AlertSubject.OfTable("edge-1", null, RibView.LOC_RIB, Family.IPV6_UNICAST)))
                .isNull();

        assertInvalidTable("view: loc-rib", "monitorTables 1 has no router");
        assertInvalidTable("router: x, min: -1", "monitorTables 1: min: '-1' is not a number of routes");
        assertInvalidTable("router: x", "monitorTables 1 has no max, min, change or differs");
        assertInvalidTable(
                "router: x, peer: '*', differs: 5%", "monitorTables 1 has only one of differs and longerThan");
        assertInvalidTable("router: x, differs: 5%, longerThan: 1m", "monitorTables 1: differs requires peer");
        assertInvalidTable("router: x, differs: x", "monitorTables 1: differs: 'x' is not a percentage such as 20%");
        assertInvalidTable("router: x, change: 5%", "monitorTables 1 has only one of change and within");
        assertInvalidTable("router: x, change: 5", "monitorTables 1: change: '5' is not a percentage such as 20%");
        assertInvalidTable("router: x, change: 5%, within: 1s", "monitorTables 1: within is from 10s to 24h, not '1s'");
        assertInvalidTable(
                "router: x, max: 1, peer: 1.2.3", "monitorTables 1: peer: '1.2.3' is not a valid IPv4 address");
        assertInvalidTable(
                "router: x, max: 1",
                "monitorTables 1: view: '' is not adj-rib-in-pre, adj-rib-in-post, adj-rib-out-pre, adj-rib-out-post or"
                        + " loc-rib");
        assertInvalidTable(
                "router: x, max: 1, view: loc-rib, family: vpnv4",
                "monitorTables 1: family: 'vpnv4' is not ipv4-unicast or ipv6-unicast");
        assertInvalidTable("maximum: 1", "monitorTables 1: unknown field 'maximum', did you mean max?");
    }

    private static AlertSubject.OfTable table(String router, String peer) {
        return new AlertSubject.OfTable(
                router, new VantagePoint(router, peer, 64500), RibView.LOC_RIB, Family.IPV6_UNICAST);
    }

    private static void assertInvalidTable(String fields, String message) {
        assertInvalid("options: {monitorTables: [{" + fields + "}]}", message);
    }

    @Test
    void undecodableMessagesHaveALimitWithinATime() {
        AlertRules rules = RulesFile.parse("""
                options:
                  monitorQuarantine:
                    - {router: edge-1, max: 0, within: 10s, quiet: 24h, description: none, group: noc}
                    - {router: "edge-*", peer: "*", max: 1000, within: 24h}
                """);
        MonitoredQuarantine first = rules.monitoredQuarantine(new AlertSubject.OfRouter("edge-1"));
        assertThat(first).isNotNull();
        assertThat(first.max()).isZero();
        assertThat(first.withinMicros()).isEqualTo(10_000_000);
        assertThat(first.quietMicros()).isEqualTo(86_400_000_000L);
        assertThat(first.description()).isEqualTo("none");
        assertThat(first.group()).isEqualTo("noc");
        assertThat(rules.quarantineSpanMicros()).isEqualTo(86_400_000_000L);
        assertThat(rules.monitoredQuarantine(new AlertSubject.OfRouter("edge-2")))
                .isNull();
        MonitoredQuarantine second =
                rules.monitoredQuarantine(new AlertSubject.OfPeer(new VantagePoint("edge-2", "2001:db8::2", 64500)));
        assertThat(second).isNotNull();
        assertThat(second.quietMicros()).isEqualTo(86_400_000_000L);
        assertThat(rules.monitoredQuarantine(table("edge-1", "2001:db8::2"))).isNull();
        assertThat(AlertRules.NONE.monitorsQuarantine()).isFalse();

        assertInvalidQuarantine("max: 1, within: 1m", " has no router");
        assertInvalidQuarantine("router: x, max: 1", " has no within");
        assertInvalidQuarantine("router: x, within: 1m", " has no max");
        assertInvalidQuarantine("router: x, max: -1, within: 1m", ": max: '-1' is not a number of messages");
        assertInvalidQuarantine("router: x, max: 1001, within: 1m", ": max is at most 1000, not 1001");
        assertInvalidQuarantine("router: x, max: 1, within: 25h", ": within is from 10s to 24h, not '25h'");
        assertInvalidQuarantine("router: x, max: 1, within: 5m, quiet: 1m", ": quiet is shorter than within");
        assertInvalidQuarantine("router: x, peer: x, max: 1, within: 5m", ": peer: 'x' is not a valid IPv4 address");
        assertInvalidQuarantine("until: 1m", ": unknown field 'until', did you mean within?");
    }

    private static void assertInvalidQuarantine(String fields, String message) {
        assertInvalid("options: {monitorQuarantine: [{" + fields + "}]}", "monitorQuarantine 1" + message);
    }

    @Test
    void relationsAreInAFileOrAList(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("relations.txt"), "# CAIDA, serial-1\n65010|64700|-1\n65020|64700|0\n");
        Path file = Files.writeString(folder.resolve("prefixes.yml"), "options: {relations: relations.txt}");
        for (AsRelations relations : List.of(
                RulesFile.read(file).relations(),
                RulesFile.parse("options: {relations: [65010|64700|-1, 65020|64700|0]}")
                        .relations())) {
            assertThat(relations.above(64700, 65010)).isEqualTo("provider");
            assertThat(relations.above(65010, 64700)).isEmpty();
            assertThat(relations.above(64700, 65020)).isEqualTo("peer");
            assertThat(relations.above(65020, 64700)).isEqualTo("peer");
        }
        for (String line : List.of("1|2", "1|2|1", "1|x|0", "-1|2|0", "4294967296|2|0")) {
            assertInvalid(
                    "options: {relations: ['" + line + "']}",
                    "relations: line 1: '" + line + "' is not provider|customer|-1 or peer|peer|0 with AS numbers");
        }
        assertInvalid(
                "options: {neighborRoles: {64501: client}}",
                "neighborRoles: 64501: 'client' is not provider, customer, peer, rs or rs-client");
        Files.writeString(file, "options: {relations: missing.txt}");
        assertThatThrownBy(() -> RulesFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("relations: cannot read missing.txt: ");
    }

    @Test
    void whatIsMadeOfTheCurrentStateCanBeRead() {
        AlertRules rules = RulesFile.parse(RulesText.entry("2001:db8::/32", "64500, 64510")
                + RulesText.entry("192.0.2.0/24", "64510")
                + RulesText.monitored(List.of(64500L, 4200000000L)));
        assertThat(rules.entries())
                .extracting(entry -> entry.prefix() + " " + entry.asns())
                .containsExactly("192.0.2.0/24 [64510]", "2001:db8::/32 [64500, 64510]");
        assertThat(rules.monitoredAs(4200000000L)).isEqualTo(new MonitoredAs("default", null, null));
    }

    private static void assertInvalid(String yaml, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RulesFile.parse(yaml))
                .withMessage(message);
    }
}
