package dev.silkroute.component.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class OpenBmpHeaderTest {
    private static final byte[] MESSAGE = HexFormat.of().parseHex("ff03000000060400");

    /** The layout as Route Views' collectors write it, with our names and times in it; the hashes are md5sum's. */
    @Test
    void givenAnIpv4RouterThenTheHeaderIsThatOfVersion17() {
        var header = new OpenBmpHeader("c1", "edge-1", InetAddress.ofLiteral("192.0.2.1"));
        assertThat(HexFormat.of().formatHex(header.before(MESSAGE, 1, 7, 1_795_248_000_000_042L)))
                .isEqualTo("4f424d50" + "0107" + "0056" + "00000006" + "80" + "0c" + "6b014f80" + "0000002a"
                        + "a9f7e97965d6cf799a529102a973b8b9" + "0002" + "6331"
                        + "f793fc7bad4341d0e3a497996832ff89" + "c0000201000000000000000000000000" + "0006"
                        + "656467652d31" + "00000001" + "030000000604");
    }

    @Test
    void givenAnIpv6RouterThenTheFlagIsSetAndTheAddressFillsItsField() {
        var header = new OpenBmpHeader("c1", "edge-1", InetAddress.ofLiteral("2001:db8::1"));
        byte[] record = header.before(MESSAGE, 1, 7, 0);
        assertThat(record[12]).isEqualTo((byte) 0xC0);
        assertThat(HexFormat.of().formatHex(record, 58, 74)).isEqualTo("20010db8000000000000000000000001");
    }

    @Test
    void givenAnOverlongNameThenItIsTruncated() {
        byte[] record =
                new OpenBmpHeader("c".repeat(70_000), "r", InetAddress.ofLiteral("192.0.2.1")).before(MESSAGE, 1, 7, 0);
        assertThat(record).hasSize(78 + 255 + 1 + 6);
        assertThat(HexFormat.of().formatHex(record, 38, 40)).isEqualTo("00ff");
    }
}
