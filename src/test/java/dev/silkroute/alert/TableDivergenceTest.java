package dev.silkroute.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.silkroute.alert.record.VantagePoint;
import dev.silkroute.bgp.RibView;
import dev.silkroute.endtoend.CaptureFiles;
import dev.silkroute.net.Family;
import dev.silkroute.rpki.VrpTable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Alerts on tables whose number of routes differs from the router's statistics. */
class TableDivergenceTest {
    private static final String ALERT = "table-divergence router-0 192.0.2.0 adj-rib-in-pre ipv4-unicast";
    private static final String FIELDS = "differs: 1%, longerThan: 0s";

    private static AlertRules rules(String fields) {
        String entry = "{router: 'router-*', peer: '*', view: adj-rib-in-pre, family: ipv4-unicast, settle: 0s, "
                + fields + "}";
        return RulesFile.parse("options: {monitorTables: [" + entry + "]}");
    }

    /** Returns a feed whose peer 0 has a complete table of four routes. */
    private static AlertFeed feed(String fields) {
        AlertFeed feed = new AlertFeed(rules(fields), AlertFeed.settings(2, 3), VrpTable.EMPTY);
        feed.newSession(0);
        table(feed);
        return feed;
    }

    private static void table(AlertFeed feed) {
        feed.peerUp(0);
        for (int i = 0; i < 4; i++) {
            feed.announce(0, "198.51." + i + ".0/24", 65000);
        }
        feed.endOfRib(0);
        feed.silence(60);
        assertThat(feed.changes()).isEmpty();
    }

    /** Sends a report, and returns the changes until it has been compared. */
    private static List<String> report(AlertFeed feed, long routes) {
        feed.report(0, Family.IPV4_UNICAST, routes);
        feed.silence(79);
        return feed.changes();
    }

    @Test
    void reportsThatDifferForTooLongOpenAnAlertUntilOneAgrees() {
        AlertFeed feed = feed("differs: 20%, longerThan: 2m, description: d");
        assertThat(report(feed, 6)).isEmpty();
        assertThat(report(feed, 1)).isEmpty();
        feed.report(0, Family.IPV4_UNICAST, 9);
        feed.silence(79);
        JsonNode alert = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened " + ALERT);
        assertThat(alert.path("condition").asText())
                .isEqualTo("the table adj-rib-in-pre ipv4-unicast of peer 192.0.2.0 (AS64500) of router router-0"
                        + " has 4 routes, the router's statistics report 9");
        assertThat(alert.path("description").asText()).isEqualTo("d");
        assertThat(alert.path("suppressed_by").get(0).asText())
                .isEqualTo("a larger differs of monitorTables 1 in options");
        JsonNode evidence = alert.path("evidence").get(0);
        assertThat(evidence.path("event").asText()).isEqualTo("statistics");
        assertThat(evidence.path("sequence").asLong()).isEqualTo(3 << 16);
        assertThat(report(feed, 7)).isEmpty();
        assertThat(report(feed, 5)).containsExactly("closed " + ALERT); // 20% of 5
    }

    @Test
    void reportThatAgreesEndsTheTime() {
        AlertFeed feed = feed("differs: 1%, longerThan: 2m");
        assertThat(report(feed, 5)).isEmpty();
        assertThat(report(feed, 4)).isEmpty();
        assertThat(report(feed, 5)).isEmpty();
        assertThat(report(feed, 5)).isEmpty();
        assertThat(report(feed, 5)).containsExactly("opened " + ALERT);
    }

    @Test
    void routesThatChangeAtTheTimeOfTheReportMakeNoDifference() {
        AlertFeed feed = feed(FIELDS);
        feed.withdraw(0, "198.51.0.0/24");
        assertThat(report(feed, 4)).isEmpty();
        assertThat(report(feed, 4)).containsExactly("opened " + ALERT);
    }

    @Test
    void orderOfTheTopicsMakesNoDifference() {
        AlertFeed feed = feed(FIELDS);
        feed.report(0, Family.IPV4_UNICAST, 4);
        feed.silence(40);
        feed.withdraw(0, "198.51.0.0/24");
        feed.silence(40);
        assertThat(feed.changes()).isEmpty();
    }

    @Test
    void incompleteTablesAndOldSessionsAreNotCompared() {
        AlertFeed feed = feed(FIELDS);
        feed.report(0, Family.IPV4_UNICAST, 9);
        feed.newSession(0);
        feed.silence(80);
        assertThat(feed.changes()).isEmpty();
        feed.peerUp(0);
        feed.silence(80);
        assertThat(report(feed, 9)).isEmpty();
        table(feed);
        assertThat(report(feed, 9)).containsExactly("opened " + ALERT);
        feed.peerDown(0);
        feed.silence(10);
        assertThat(feed.changes()).containsExactly("closed " + ALERT);
        assertThat(report(feed, 9)).isEmpty();
    }

    @Test
    void alertStaysOpenAcrossARestartUntilAReportAgrees() {
        AlertFeed feed = feed(FIELDS);
        feed.report(0, Family.IPV4_UNICAST, 9);
        feed.silence(79);
        JsonNode open = feed.records.getFirst();
        assertThat(feed.changes()).containsExactly("opened " + ALERT);
        feed.engine = new AlertEngine(rules(FIELDS), AlertFeed.settings(2, 3), feed::add);
        feed.engine.restore(open);
        feed.engine.load();
        feed.newSession(0);
        table(feed);
        feed.engine.settle();
        feed.silence(60);
        assertThat(feed.changes()).isEmpty();
        assertThat(report(feed, 9)).isEmpty();
        assertThat(report(feed, 4)).containsExactly("closed " + ALERT);
    }

    @Test
    void numbersOfRoutesAreReadFromReports() {
        JsonNode record = CaptureFiles.parse("""
                {"event":"statistics","collector":"c","router":"r1","router_address":"192.0.2.9","session_id":7,
                 "sequence":65536,"received_at":"2026-11-25T10:00:00.000001Z","peer_type":"global",
                 "peer_address":"192.0.2.1","peer_asn":64501,"statistics":[
                   {"type":19,"name":"x","afi":1,"safi":1,"value":"3","raw":""},
                   {"type":9,"name":"x","afi":1,"safi":1,"value":"2","raw":""},
                   {"type":21,"name":"x","afi":2,"safi":1,"value":"18446744073709551615","raw":""},
                   {"type":21,"name":"x","afi":2,"safi":1,"value":null,"raw":""},
                   {"type":21,"enterprise":9,"name":"x","afi":null,"safi":null,"value":"1","raw":""},
                   {"type":10,"name":"x","afi":1,"safi":1,"value":"5","raw":""},
                   {"type":9,"name":"x","afi":1,"safi":128,"value":"6","raw":""},
                   {"type":7,"name":"x","afi":null,"safi":null,"value":"7","raw":""}]}""");
        VantagePoint peer = new VantagePoint("r1", "192.0.2.1", 64501);
        long at = 1_795_600_800_000_001L;
        assertThat(ReportedSize.read(record))
                .containsExactly(
                        new ReportedSize(peer, RibView.ADJ_RIB_IN_PRE_POLICY, Family.IPV4_UNICAST, 2, 7, 65536, at),
                        new ReportedSize(peer, RibView.ADJ_RIB_IN_PRE_POLICY, Family.IPV4_UNICAST, 3, 7, 65536, at),
                        new ReportedSize(
                                peer,
                                RibView.ADJ_RIB_IN_POST_POLICY,
                                Family.IPV6_UNICAST,
                                Long.MAX_VALUE,
                                7,
                                65536,
                                at));
        assertThat(ReportedSize.isRedecoded(record)).isFalse();
        assertThatThrownBy(() -> ReportedSize.read(CaptureFiles.parse("{}")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
