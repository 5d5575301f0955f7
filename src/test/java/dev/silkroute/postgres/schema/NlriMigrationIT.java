package dev.silkroute.postgres.schema;

import static dev.silkroute.postgres.TestBatch.*;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

/** A state from before NLRI had texts, and EVPN routes keys of their own. */
class NlriMigrationIT {
    private static final String ETHERNET_AD = "0119" + "0000fde800000000" + "00112233445566778899" + "00000000";
    private static final String IP_PREFIX =
            "0522" + "0000fde800000000" + "00000000000000000000" + "00000005" + "180a080500" + "00000000";
    private static final String SEGMENT = "0417" + "0000fde800000004" + "00112233445566778899" + "20c000020b";

    private final DataSource database = TestPostgres.database();

    @Test
    void oldRowsKeepTheirTextsAndGetTheKeysOfNewOnes() throws SQLException {
        // Given: routes keyed by the whole NLRI, one of them twice because its label changed, one malformed
        try (Connection connection = database.getConnection()) {
            connection.createStatement().execute("DROP SCHEMA bmp CASCADE");
        }
        // The functions are made for the newest schema, so they wait for it.
        flyway().target("1").repeatableSqlMigrationPrefix("LATER").load().migrate();
        old(MAC_IP + "0138a1", 1);
        old(MAC_IP + "0138b1", 2);
        old(ETHERNET_AD + "000001", 1);
        old(IP_PREFIX + "000001", 1);
        old(SEGMENT, 1);
        old("0200", 1);

        // When
        flyway().load().migrate();

        // Then
        assertThat(TestPostgres.query(database, "SELECT nlri FROM bmp.v_rib ORDER BY 1"))
                .containsExactly(ETHERNET_AD + "000001", "0200", MAC_IP + "0138b1", SEGMENT, IP_PREFIX + "000001");

        // Then: what is withdrawn now finds them
        write(of(9, 0).withdraw(PEER, Family.EVPN, hex(MAC_IP + "000000"), false)
                .withdraw(PEER, Family.EVPN, hex(ETHERNET_AD + "000000"), false)
                .withdraw(PEER, Family.EVPN, hex(IP_PREFIX + "000000"), false)
                .withdraw(PEER, Family.EVPN, hex(SEGMENT), false));
        assertThat(TestPostgres.query(database, "SELECT nlri FROM bmp.v_rib")).containsExactly("0200");
    }

    private FluentConfiguration flyway() {
        return Flyway.configure().dataSource(database).schemas("bmp");
    }

    /** A row as it was written: peer 1 is the one that the first batch makes. */
    private void old(String nlri, long session) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection
                    .createStatement()
                    .execute(
                            "INSERT INTO bmp.rib_route (prefix, nlri, rd, path_id, peer_id, family, rib_view, session_id,"
                                    + " first_seen, last_changed, attr) VALUES ('::/128', decode('" + nlri
                                    + "', 'hex'), 0, -1, 1,"
                                    + " 6470, 0, " + session + ", now(), now(), gen_random_uuid())");
        }
    }

    private void write(TestBatch batch) throws SQLException {
        try (Connection connection = database.getConnection()) {
            CurrentStateWriter writer = new CurrentStateWriter(new DimensionCache(10), new AttributeSets(10));
            LaneTransaction.run(connection, writer.prepare(connection, List.of(batch.build()))::write);
        }
    }
}
