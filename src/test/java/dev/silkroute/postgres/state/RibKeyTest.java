package dev.silkroute.postgres.state;

import static dev.silkroute.fixture.CollidingKeys.KEYS;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static dev.silkroute.fixture.CollidingKeys.folded;
import static dev.silkroute.fixture.CollidingKeys.high;
import static dev.silkroute.fixture.CollidingKeys.low;
import static dev.silkroute.fixture.CollidingKeys.pairs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RibKeyTest {
    private final NlriReader reader = new NlriReader();
    private final ByteSink scratch = new ByteSink();

    private RibKey key(int family, boolean addPath, ByteSink nlri) {
        byte[] bytes = nlri.toByteArray();
        reader.read(family, bytes, 0, bytes.length, addPath, false);
        return RibKey.of(1, 0, family, reader, bytes, scratch);
    }

    private int hash(int family, boolean addPath, ByteSink nlri) {
        return key(family, addPath, nlri).hashCode();
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

    /** Few routes that a filter of table dumps has not seen are taken for seen. */
    @Test
    void aFilterDistinguishesSuchPrefixes() {
        RouteFilter filter = new RouteFilter(bytes -> true);
        int mistakes = 0;
        for (int i = 0; i < KEYS; i++) {
            RibKey key = key(
                    Family.IPV6_UNICAST,
                    false,
                    new ByteSink().u8(128).i64(high(i)).i64(low(i)));
            mistakes += filter.add(key.hash()) == RouteFilter.Outcome.NEW ? 0 : 1;
        }
        assertThat(mistakes).isLessThan(KEYS / 100);
    }

    private RibKey prefix(int peer, int family, long high, int length) {
        byte[] bytes = new ByteSink().u8(length).i64(high).i64(0).toByteArray();
        int octets = (length + 7) / 8;
        reader.read(family, bytes, 0, 1 + octets, false, false);
        return RibKey.of(peer, 0, family, reader, bytes, scratch);
    }

    private RibKey evpn(int first) {
        byte[] bytes = new ByteSink().u8(200).u8(1).u8(first).toByteArray();
        reader.read(Family.EVPN, bytes, 0, bytes.length, false, false);
        return RibKey.of(1, 0, Family.EVPN, reader, bytes, scratch);
    }

    @Test
    void keysAreOrderedAsInThePrimaryKey() {
        List<RibKey> ordered = List.of(
                prefix(1, Family.IPV4_UNICAST, 0x0a00_0000_0000_0000L, 8),
                prefix(2, Family.IPV4_UNICAST, 0x0a00_0000_0000_0000L, 8),
                prefix(1, Family.IPV4_UNICAST, 0x0a00_0000_0000_0000L, 16),
                prefix(1, Family.IPV4_UNICAST, 0xc000_0000_0000_0000L, 8),
                evpn(1),
                evpn(0xff),
                prefix(1, Family.IPV6_UNICAST, 0x2001_0db8_0000_0000L, 32),
                prefix(1, Family.IPV6_UNICAST, 0xfe80_0000_0000_0000L, 16));
        List<RibKey> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled);
        shuffled.sort(RibKey::compareInIndex);
        assertThat(shuffled).containsExactlyElementsOf(ordered);
    }
}
