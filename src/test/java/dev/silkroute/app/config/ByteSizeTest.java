package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ByteSizeTest {
    @Test
    void parsesSizesWithUnits() {
        assertThat(ByteSize.parse("4096")).isEqualTo(4096);
        assertThat(ByteSize.parse("512M")).isEqualTo(512L << 20);
        assertThat(ByteSize.parse("4 MiB")).isEqualTo(4L << 20);
        assertThat(ByteSize.parse("1g")).isEqualTo(1L << 30);
        assertThat(ByteSize.parse("2kb")).isEqualTo(2048);
    }

    @Test
    void rejectsStringsThatAreNotSizes() {
        for (String text : new String[] {"", "M", "-1", "1.5G", "12X", "9999999999999"}) {
            assertThatThrownBy(() -> ByteSize.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ByteSize.parse("999999999999T")).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void formatsInTheLargestUnit() {
        assertThat(ByteSize.text(512L << 20)).isEqualTo("512 MiB");
        assertThat(ByteSize.text((1L << 30) + 1)).isEqualTo("1 GiB");
        assertThat(ByteSize.text(1023)).isEqualTo("1023 bytes");
    }
}
