package dev.silkroute.postgres.state;

import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;
import static dev.silkroute.fixture.CollidingKeys.pairs;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import org.junit.jupiter.api.Test;

class RibKeyTest {
    private final NlriReader reader = new NlriReader();
    private final ByteSink scratch = new ByteSink();

    private int hash(int family, boolean addPath, ByteSink nlri) {
        byte[] bytes = nlri.toByteArray();
        reader.read(family, bytes, 0, bytes.length, addPath, false);
        return RibKey.of(1, 0, family, reader, bytes, scratch).hashCode();
    }

    @Test
    void prefixesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertSpread(i -> hash(
                Family.IPV6_UNICAST, false, new ByteSink().u8(128).i64(high(i)).i64(low(i))));
    }

    @Test
    void routeDistinguishersWhoseUnkeyedHashesAreEqualAreSpread() {
        int family = Family.of(Family.AFI_IPV4, 128);
        assertSpread(i -> hash(
                family,
                false,
                new ByteSink().u8(24 + 64 + 8).u8(0).u8(0).u8(1).i64(folded(i)).u8(10)));
    }

    @Test
    void pathIdentifiersAreSpread() {
        assertSpread(i -> hash(
                Family.IPV4_UNICAST, true, new ByteSink().u32(i << 16).u8(8).u8(10)));
    }

    @Test
    void bytesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertSpread(i -> {
            byte[] body = pairs(i);
            return hash(
                    Family.EVPN, false, new ByteSink().u8(200).u8(body.length).bytes(body, 0, body.length));
        });
    }
}
