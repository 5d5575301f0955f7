package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteSizeTest {
    @Test
    void formatsInTheLargestUnit() {
        assertThat(ByteSize.text(512L << 20)).isEqualTo("512 MiB");
        assertThat(ByteSize.text((1L << 30) + 1)).isEqualTo("1 GiB");
        assertThat(ByteSize.text(1023)).isEqualTo("1023 bytes");
    }
}
