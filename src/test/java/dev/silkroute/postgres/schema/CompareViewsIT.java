package dev.silkroute.postgres.schema;

import static dev.silkroute.postgres.TestBatch.of;
import static dev.silkroute.postgres.TestBatch.peer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.RibView;
import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.TestBatch;
import dev.silkroute.postgres.dimension.AttributeSets;
import dev.silkroute.postgres.dimension.DimensionCache;
import dev.silkroute.postgres.lane.LaneTransaction;
import dev.silkroute.postgres.state.CurrentStateWriter;
import dev.silkroute.route.PeerEntry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** One prefix in five views: where it went, where it ended, what policy did to it. */
class CompareViewsIT {
    private static final String PREFIX = "10.0.0.0/8";
    private static final String OTHER = "11.0.0.0/8";
    private static final PeerEntry LOC_RIB = new PeerEntry(3, 0, false, 0, 0, 64_500, 0x0A0000FF, RibView.LOC_RIB);

    private final DataSource database = TestPostgres.database();

    private static PeerEntry pre(int host) {
        return peer(host, host, RibView.ADJ_RIB_IN_PRE_POLICY);
    }

    private static PeerEntry post(int host) {
        return peer(host, host, RibView.ADJ_RIB_IN_POST_POLICY);
    }

    private static PeerEntry outPre(int host) {
        return peer(host, host, RibView.ADJ_RIB_OUT_PRE_POLICY);
    }

    private static PeerEntry outPost(int host) {
        return peer(host, host, RibView.ADJ_RIB_OUT_POST_POLICY);
    }

    private List<String> compare(TestBatch batch, String columns) throws SQLException {
        CurrentStateWriter writer = new CurrentStateWriter(new DimensionCache(100), new AttributeSets(1000));
        try (Connection connection = database.getConnection()) {
            LaneTransaction.run(connection, writer.prepareBatches(connection, List.of(batch.build()))::write);
        }
        return TestPostgres.query(database, "SELECT " + columns + " FROM bmp.compare_views('" + PREFIX + "')");
    }

    @Test
    void eachPeerAndDirectionHasItsOutcome() throws SQLException {
        TestBatch batch = of(7, 0)
                // 11: chosen, with another MED
                .announce(pre(11), PREFIX, 1)
                .announce(post(11), PREFIX, 2)
                .announce(LOC_RIB, PREFIX, 2)
                // 12: filtered on its way in; 13: shown before policy only; 14: accepted as it is
                .announce(pre(12), PREFIX, 1)
                .announce(post(12), OTHER, 1)
                .announce(pre(13), PREFIX, 1)
                .announce(pre(14), PREFIX, 1)
                .announce(post(14), PREFIX, 1)
                // 21: sent on changed; 22: filtered on its way out; 23: gets others; 24: shown after policy only
                .announce(outPre(21), PREFIX, 2)
                .announce(outPost(21), PREFIX, 3)
                .announce(outPre(22), PREFIX, 2)
                .announce(outPost(22), OTHER, 2)
                .announce(outPost(23), OTHER, 2)
                .announce(outPost(24), PREFIX, 2);
        assertThat(
                        compare(
                                batch,
                                "host(peer_address), direction, outcome, changed, selected, adj_rib_in_pre->'med',"
                                        + " adj_rib_in_post->'med', loc_rib->'med', adj_rib_out_pre->'med', adj_rib_out_post->'med'"))
                .containsExactly(
                        "192.0.2.11|in|accepted, changed by policy|{med}|t|1|2|2|-|-",
                        "192.0.2.12|in|rejected by policy|-|f|1|-|2|-|-",
                        "192.0.2.13|in|received|-|t|1|-|2|-|-",
                        "192.0.2.14|in|accepted, unchanged|{}|t|1|1|2|-|-",
                        "0.0.0.0|loc-rib|chosen|-|-|-|-|2|-|-",
                        "192.0.2.21|out|advertised, changed by policy|{med}|-|-|-|2|2|3",
                        "192.0.2.22|out|rejected by policy|-|-|-|-|2|2|-",
                        "192.0.2.23|out|not advertised|-|-|-|-|2|-|-",
                        "192.0.2.24|out|advertised|{}|-|-|-|2|-|2");
    }

    @Test
    void withoutALocRibTheSelectionIsUnknown() throws SQLException {
        assertThat(compare(of(7, 0).announce(pre(11), PREFIX, 1), "outcome, selected, loc_rib"))
                .containsExactly("received|-|-");
    }

    @Test
    void aPrefixThatNobodyHasHasNoRows() throws SQLException {
        assertThat(compare(of(7, 0).announce(pre(11), OTHER, 1), "*")).isEmpty();
    }
}
