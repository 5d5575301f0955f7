package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.Family;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How the Peer Ups of a peer's views determine the decoding of its UPDATEs. */
class MonitoredPeerTest {
    private static final SessionCapabilities PATHS = agreed(AddPathFamilies.of(Family.IPV4_UNICAST));
    private static final SessionCapabilities NONE = agreed(AddPathFamilies.NONE);

    private final PerPeerHeader pre = header(0);
    private final PerPeerHeader post = header(0x40);
    private final MonitoredPeer peer = new MonitoredPeer(PeerKey.of(pre), pre, AddPathPolicy.HEURISTIC, 0);

    private static SessionCapabilities agreed(AddPathFamilies received) {
        return new SessionCapabilities(
                true, received, AddPathFamilies.NONE, List.of(), false, List.of(), Optional.empty());
    }

    private static PerPeerHeader header(int flags) {
        byte[] bytes = new byte[PerPeerHeader.LENGTH];
        bytes[1] = (byte) flags;
        PerPeerHeader header = new PerPeerHeader();
        header.read(bytes, 0, bytes.length);
        return header;
    }

    private boolean paths(PerPeerHeader header) {
        return peer.context(header).addPath(Family.IPV4_UNICAST).agreed();
    }

    @Test
    void eachViewHasTheCapabilitiesOfItsOwnPeerUpElseThoseOfTheLatest() {
        peer.up(RibView.ADJ_RIB_IN_PRE_POLICY, PATHS, 0);
        assertThat(paths(pre)).isTrue();
        assertThat(paths(post)).isTrue();

        peer.up(RibView.ADJ_RIB_IN_POST_POLICY, NONE, 0);
        assertThat(paths(pre)).isTrue();
        assertThat(paths(post)).isFalse();
    }

    /** Another view's Peer Up with the same capabilities came in between: what counts is what this view had. */
    @Test
    void aViewWithOtherCapabilitiesGetsANewContext() {
        peer.up(RibView.ADJ_RIB_IN_PRE_POLICY, PATHS, 0);
        peer.up(RibView.ADJ_RIB_IN_POST_POLICY, NONE, 0);
        assertThat(paths(pre)).isTrue();

        peer.up(RibView.ADJ_RIB_IN_PRE_POLICY, NONE, 0);

        assertThat(paths(pre)).isFalse();
    }

    @Test
    void aRepeatedPeerUpKeepsTheContext() {
        peer.up(RibView.ADJ_RIB_IN_PRE_POLICY, PATHS, 0);
        peer.up(RibView.ADJ_RIB_IN_POST_POLICY, NONE, 0);
        UpdateContext learnt = peer.context(pre);

        peer.up(RibView.ADJ_RIB_IN_PRE_POLICY, PATHS, 0);

        assertThat(peer.context(pre)).isSameAs(learnt);
    }
}
