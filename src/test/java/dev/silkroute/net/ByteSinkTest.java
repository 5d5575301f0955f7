package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSinkTest {

    @Test
    void whatIsWrittenGrowsAndCanBePatched() {
        // Given
        ByteSink sink = new ByteSink(1);
        byte[] many = new byte[1000];

        // When
        sink.u8(0x101).u16(0).u32(-2).i64(3).bytes(many, 0, many.length).bytes(Bytes.ofHex("abcd"));
        sink.patchU16(1, 0xBEEF).patchU32(3, 7).patchU8(0, 9);

        // Then
        assertThat(sink.position()).isEqualTo(15 + 1000 + 2);
        assertThat(Hex.of(sink.array(), 0, 15)).isEqualTo("09beef000000070000000000000003");
        assertThat(Hex.of(sink.toByteArray(), 1015, 1017)).isEqualTo("abcd");
    }

    /** Each kind of write is once the one that makes the array grow. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void nothingIsLostWhereTheArrayGrows(int shift) {
        // Given
        ByteSink sink = new ByteSink(16).bytes(new byte[16], 0, shift);
        ByteSink expected = new ByteSink(4096).bytes(new byte[16], 0, shift);

        // When
        for (int i = 1; i < 60; i++) {
            sink.u8(i).u16(i * 257).u32(i * 65537).i64(i * 4294967297L);
            expected.u8(i).u16(i * 257).u32(i * 65537).i64(i * 4294967297L);
        }

        // Then
        assertThat(sink.toByteArray()).isEqualTo(expected.toByteArray());
    }

    @Test
    void resetAndTruncateForget() {
        // Given
        ByteSink sink = new ByteSink().u32(1).u32(2);

        // When
        sink.truncate(4);

        // Then
        assertThat(sink.toByteArray()).containsExactly(0, 0, 0, 1);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> sink.patchU32(1, 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> sink.truncate(5));
        sink.reset();
        assertThat(sink.position()).isZero();
    }
}
