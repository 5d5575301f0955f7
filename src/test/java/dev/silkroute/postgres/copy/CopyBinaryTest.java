package dev.silkroute.postgres.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The bytes, against the formats that PostgreSQL's documentation and receive functions give. */
class CopyBinaryTest {
    private static String encoded(Consumer<CopyBinary> fields) {
        CopyBinary copy = new CopyBinary(0);
        fields.accept(copy);
        return HexFormat.of().formatHex(Arrays.copyOf(copy.array(), copy.length()));
    }

    @Test
    void headerRowAndTrailer() {
        assertThat(encoded(copy -> {
                    copy.header();
                    copy.row(1);
                    copy.nullField();
                    copy.trailer();
                }))
                .isEqualTo("5047434f50590aff0d0a00" + "00000000" + "00000000" + "0001" + "ffffffff" + "ffff");
    }

    @Test
    void numbers() {
        assertThat(encoded(copy -> copy.int2(-2))).isEqualTo("00000002fffe");
        assertThat(encoded(copy -> copy.int4(0x01020304))).isEqualTo("0000000401020304");
        assertThat(encoded(copy -> copy.unsigned(-1))).isEqualTo("0000000800000000ffffffff");
        assertThat(encoded(copy -> copy.bool(true))).isEqualTo("0000000101");
        assertThat(encoded(copy -> copy.uuid(1, 2))).isEqualTo("0000001000000000000000010000000000000002");
    }

    @Test
    void timeCountsFromTheYear2000() {
        assertThat(encoded(copy -> copy.timestamp(946_684_800_000_001L))).isEqualTo("000000080000000000000001");
    }

    @Test
    void addresses() {
        assertThat(encoded(copy -> copy.cidr(false, 0, 0x0A000000, 8))).isEqualTo("00000008" + "02080104" + "0a000000");
        assertThat(encoded(copy -> copy.inet(true, 0x20010db800000000L, 1)))
                .isEqualTo("00000014" + "03800010" + "20010db8000000000000000000000001");
    }

    @Test
    void textLosesNulOnly() {
        assertThat(encoded(copy -> copy.text("a\0ä"))).isEqualTo("0000000361c3a4");
        assertThat(encoded(copy -> copy.text(null))).isEqualTo("ffffffff");
    }

    @Test
    void arrays() {
        assertThat(encoded(copy -> copy.int4Array(new int[0]))).isEqualTo("0000000c000000000000000000000017");
        assertThat(encoded(copy -> copy.textArray(List.of("a"))))
                .isEqualTo("00000019" + "00000001" + "00000000" + "00000019" + "00000001" + "00000001" + "0000000161");
    }

    @Test
    void growsAcrossItsCapacity() {
        byte[] big = new byte[1000];
        Arrays.fill(big, (byte) 7);
        assertThat(encoded(copy -> copy.bytea(big, 0, big.length))).isEqualTo("000003e8" + "07".repeat(1000));
    }
}
