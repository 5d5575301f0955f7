package dev.silkroute.collector.sessions;

import static dev.silkroute.fixture.CollidingKeys.assertCollide;
import static dev.silkroute.fixture.CollidingKeys.assertSpread;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class SourceAddressTest {
    /** An address of one network of 64 bits. The sum of its four parts is the same for all numbers of 16 bits. */
    private static InetAddress address(int number) {
        int part = (number & 0xF000) << 4 | (number & 0xFC0) << 2 | number & 0x3F; // no byte is negative
        int rest = 0x7F7F7F - part;
        return InetAddress.ofLiteral(
                "2001:db8:0:1:%x:%x:%x:%x".formatted(part >>> 16, part & 0xFFFF, rest >>> 16, rest & 0xFFFF));
    }

    @Test
    void addressesWhoseUnkeyedHashesAreEqualAreSpread() {
        assertCollide(number -> address(number).hashCode());
        assertSpread(number -> new SourceAddress(address(number)).hashCode());
    }

    @Test
    void equalAddressesAreOneKey() {
        assertThat(new SourceAddress(address(1)))
                .isEqualTo(new SourceAddress(address(1)))
                .hasSameHashCodeAs(new SourceAddress(address(1)))
                .isNotEqualTo(new SourceAddress(address(2)));
    }
}
