package dev.silkroute.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.nlri.NlriKey;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.postgres.TestBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The history's idea of what is the same EVPN route is that of the current state. */
class NlriKeyIT {
    private static final DataSource DATABASE = TestPostgres.database();
    private static final String RD = "0000fde800000002";
    private static final String ESI = "00112233445566778899";
    private static final String TAG = "00000005";

    private static final List<String> ROUTES = List.of(
            "0119" + RD + ESI + TAG + "0003e8",
            "0221" + RD + ESI + TAG + "30020000000002" + "00" + "0003e8",
            "0225" + RD + ESI + TAG + "30020000000002" + "20" + "0a090002" + "0003e8",
            "0228" + RD + ESI + TAG + "30020000000002" + "20" + "0a090002" + "0003e8" + "0007d0",
            "0231" + RD + ESI + TAG + "30020000000002" + "80" + "20010db8000000000000000000000001" + "0003e8",
            "0311" + RD + TAG + "20" + "c0000201",
            "0417" + RD + ESI + "20" + "c000020b",
            "0522" + RD + ESI + TAG + "18" + "0a080500" + "00000000" + "0003e8",
            "053a" + RD + ESI + TAG + "40" + "20010db8000000000000000000000000" + "00000000000000000000000000000000"
                    + "0003e8",
            "0c03" + "010203",
            "0200");

    @Test
    void sqlAndJavaComputeTheSameKeys() throws Exception {
        try (Connection connection = DATABASE.getConnection();
                PreparedStatement key = connection.prepareStatement("SELECT bmp.nlri_key(?, ?)")) {
            for (String route : ROUTES) {
                byte[] nlri = TestBatch.hex(route);
                assertThat(java(Family.EVPN, nlri)).as(route).isEqualTo(sql(key, Family.EVPN, nlri));
            }
            Random random = new Random(5);
            for (int i = 0; i < 200; i++) {
                byte[] nlri = new byte[1 + random.nextInt(60)];
                random.nextBytes(nlri);
                assertThat(sql(key, Family.IPV4_FLOWSPEC, nlri)).isEqualTo(nlri);
            }
        }
    }

    private static byte[] java(int family, byte[] nlri) {
        ByteSink out = new ByteSink();
        NlriKey.write(family, nlri, 0, nlri.length, out);
        return out.toByteArray();
    }

    private static byte[] sql(PreparedStatement key, int family, byte[] nlri) throws Exception {
        key.setInt(1, family);
        key.setBytes(2, nlri);
        try (var row = key.executeQuery()) {
            row.next();
            return row.getBytes(1);
        }
    }
}
