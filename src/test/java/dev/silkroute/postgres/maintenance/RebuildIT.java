package dev.silkroute.postgres.maintenance;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.state.StateHarness;
import dev.silkroute.route.EventKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The current state rebuilt from the history. */
class RebuildIT extends StateHarness {
    @Test
    void givenAStateThatIsWrongWhenItIsRebuiltThenItIsWhatItWasAndOnlyWhatDifferedIsWritten() throws SQLException {
        byte[] huge = new byte[3000];
        new Random(1).nextBytes(huge);
        byte[] nlri = concat(hex("ffffffff"), nlri("10.0.0.0/8"));
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce(OTHER, "2001:db8::/32", 3)
                .announce(PEER, V4, nlri, true, attributes(-1))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138a1"), false, attributes(5))
                .announce(PEER, Family.EVPN, hex(MAC_IP + "0138b1"), false, attributes(5))
                .announce(PEER, Family.BGP_LS, hex(NODE), false, attributes(6))
                .announce(PEER, Family.of(7, 99), huge, false, attributes(7))
                .announce(PEER, Family.VPNV4, hex("60" + "003e81" + "0002fa56ea0b0001" + "0a"), false, attributes(8))
                .announce("12.0.0.0/8", 9)
                .withdraw("12.0.0.0/8")
                .endOfRib(PEER, V4));
        write(of(1, 1).session(EventKind.SESSION_DOWN));
        write(up(2, 2).announce("10.0.0.0/8", 1).endOfRib(PEER, V4));
        purge();
        String all = "SELECT host(peer_address), rib_view, family, rd, nlri, path_id, med, labels FROM bmp.v_rib"
                + " ORDER BY 1, 2, 3, 4, 5, 6";
        List<String> right = query(all);
        List<String> rows = query(ROWS);
        assertThat(right).hasSize(6);
        try (Connection connection = database.getConnection()) {
            Rebuild rebuild = new Rebuild(Duration.ofSeconds(5));
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 0, 0, 0));
            assertThat(query(ROWS)).isEqualTo(rows);

            connection
                    .createStatement()
                    .execute(
                            "UPDATE bmp.rib_route SET attribute_hash = (SELECT attribute_hash FROM bmp.attribute_set WHERE med = 3) WHERE family = 16388 << 8 | 71;"
                                    + " INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id, first_seen,"
                                    + " last_changed, attribute_hash) SELECT '99.0.0.0/8', '', 0, -1, peer_id, family, rib_view, session_id, first_seen,"
                                    + " last_changed, attribute_hash FROM bmp.rib_route WHERE family = 257 LIMIT 1;"
                                    + " DELETE FROM bmp.rib_route WHERE family = 6470");
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 1, 1, 1));
            assertThat(query(all)).isEqualTo(right);

            connection.createStatement().execute("TRUNCATE bmp.rib_route, bmp.rib_table");
            assertThat(rebuild.run(connection)).isEqualTo(new Rebuild.Result(6, 6, 0, 0));
            assertThat(query(all)).isEqualTo(right);
        }
        // Then: life goes on with it
        write(of(2, 9).peerDown(PEER, true));
        purge();
        assertThat(query("SELECT host(peer_address) FROM bmp.v_rib")).containsExactly("192.0.2.12");
    }

    @Test
    void givenAnOlderSessionsLastWordsWhenTheStateIsRebuiltThenWhatTheNewerHasConfirmedStays() throws SQLException {
        // Given: a router that moved to another collector, where one table is through and another comes just now
        write(up(1, 0).announce("10.0.0.0/8", 1)
                .announce("11.0.0.0/8", 2)
                .announce("12.0.0.0/8", 3)
                .announce(OTHER, "10.0.0.0/8", 1)
                .announce(OTHER, "11.0.0.0/8", 1)
                .endOfRib(PEER, V4));
        query(
                "SELECT bmp.apply_peer_events('[{\"event\":\"session-up\",\"collector\":\"c2\",\"router\":\"r1\",\"session_id\":2,"
                        + "\"sequence\":0,\"received_at\":\"2026-11-21T08:01:00Z\"}]')");
        write(up(2, 60).announce("10.0.0.0/8", 1).announce("11.0.0.0/8", 2).endOfRib(PEER, V4));
        purge();
        write(of(2, 61).peerUp(OTHER).dump().announce(OTHER, "10.0.0.0/8", 1));
        // When: the first one's connection is read to its end
        TestBatch late = of(1, 62);
        for (int i = 0; i < 9; i++) {
            late.session(EventKind.SESSION_UP);
        }
        write(late.withdraw("10.0.0.0/8")
                .announce("11.0.0.0/8", 9)
                .withdraw(OTHER, "10.0.0.0/8")
                .announce("13.0.0.0/8", 1));
        List<String> right = query(RIB);
        assertThat(right)
                .containsExactly(
                        "192.0.2.11|10.0.0.0/8|1|f",
                        "192.0.2.11|11.0.0.0/8|2|f",
                        "192.0.2.12|10.0.0.0/8|1|f",
                        "192.0.2.12|11.0.0.0/8|1|t");
        // Then
        try (Connection connection = database.getConnection()) {
            assertThat(new Rebuild(Duration.ofSeconds(5)).run(connection)).isEqualTo(new Rebuild.Result(4, 0, 0, 0));
        }
        assertThat(query(RIB)).isEqualTo(right);
    }
}
