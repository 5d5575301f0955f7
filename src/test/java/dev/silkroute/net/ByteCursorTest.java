package dev.silkroute.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ByteCursorTest {
    private static final byte[] BYTES =
            Bytes.ofHex("00fffefdfcfbfaf9f8f7f6f5f4f3f2f1").toArray();

    @Test
    void numbersAreReadInNetworkOrder() {
        // Given
        ByteCursor cursor = new ByteCursor(BYTES, 1, 16, "test");

        // Then
        assertThat(cursor.u8()).isEqualTo(0xFF);
        assertThat(cursor.u16()).isEqualTo(0xFEFD);
        assertThat(cursor.u32()).isEqualTo(0xFCFB_FAF9L);
        assertThat(cursor.i64()).isEqualTo(0xF8F7_F6F5_F4F3_F2F1L);
        assertThat(cursor.hasRemaining()).isFalse();
    }

    @Test
    void readPastTheRegionReportsOffsetAndSection() {
        // Given
        ByteCursor cursor = new ByteCursor(BYTES, 2, 7, "RFC 4271, Section 4.3");
        cursor.skip(4);

        // When, then
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(cursor::u16)
                .withMessage("2 bytes expected, 1 left at offset 6 (RFC 4271, Section 4.3)")
                .satisfies(e -> {
                    assertThat(e.offset()).isEqualTo(6);
                    assertThat(e.section()).isEqualTo("RFC 4271, Section 4.3");
                    assertThat(e.getStackTrace()).isEmpty();
                });
        assertThat(cursor.position()).isEqualTo(6);
    }

    @Test
    void anInnerCursorEndsAtItsLength() {
        // Given
        ByteCursor cursor = new ByteCursor(BYTES, 0, 16, "outer");

        // When
        ByteCursor inner = cursor.slice(3, "inner");

        // Then
        assertThat(inner.remaining()).isEqualTo(3);
        assertThat(cursor.position()).isEqualTo(3);
        assertThatExceptionOfType(DecodeException.class).isThrownBy(inner::u32).withMessageContaining("inner");
        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> cursor.slice(14, "inner"));
        assertThatExceptionOfType(DecodeException.class).isThrownBy(() -> cursor.skip(-1));
    }
}
