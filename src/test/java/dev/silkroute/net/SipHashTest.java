package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SipHashTest {
    /** The test vectors of the reference implementation: the bytes 0, 1, 2 … with the key 0, 1, 2 … 15. */
    @ParameterizedTest
    @CsvSource({
        "0,  726fdb47dd0e0e31",
        "1,  74f839c593dc67fd",
        "7,  ab0200f58b01d137",
        "8,  93f5f5799a932462",
        "15, a129ca6149be45e5",
        "63, 958a324ceb064572"
    })
    void hashesAreThoseOfTheReference(int length, String expected) {
        byte[] bytes = new byte[length + 5];
        for (int i = 0; i < length; i++) {
            bytes[i + 3] = (byte) i;
        }
        long hash = SipHash.of(0x0706050403020100L, 0x0f0e0d0c0b0a0908L, bytes, 3, 3 + length);
        assertThat(Hex.of(hash)).isEqualTo(expected);
    }
}
