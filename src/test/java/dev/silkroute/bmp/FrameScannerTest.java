package dev.silkroute.bmp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FrameScannerTest {
    private final FrameScanner scanner = new FrameScanner();

    @Test
    void wholeMessagesAreFoundHoweverTheBytesAreDivided() {
        // Given
        ByteSink sink = new ByteSink();
        sink.u8(0xEE);
        BmpEncoder.initiation("router", "test", sink);
        int first = sink.position();
        BmpEncoder.termination(0, sink);
        byte[] b = sink.toByteArray();

        // When, then
        for (int to = 1; to <= b.length; to++) {
            scanner.scan(b, 1, to);
            assertThat(scanner.fault()).isNull();
            assertThat(scanner.messages()).isEqualTo(to == b.length ? 2 : to >= first ? 1 : 0);
            assertThat(scanner.end()).isEqualTo(to == b.length ? b.length : to >= first ? first : 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "02, WRONG_VERSION, 0",
        "05, WRONG_VERSION, 0",
        "474554, WRONG_VERSION, 0",
        "0300000005, IMPOSSIBLE_LENGTH, 1",
        "0300000000ff, IMPOSSIBLE_LENGTH, 1",
        "0300100001, TOO_LONG, 1",
        "0380000000, TOO_LONG, 1",
        "03ffffffff, TOO_LONG, 1",
        "03000000060405, WRONG_VERSION, 6",
        "0400000005, IMPOSSIBLE_LENGTH, 1",
        "04ffffffff, TOO_LONG, 1",
    })
    void faultsAreReportedAsSoonAsTheyAreProven(String hex, FramingFault fault, int offset) {
        // Given
        byte[] b = Bytes.ofHex(hex).toArray();

        // When
        scanner.scan(b, 0, b.length);

        // Then
        assertThat(scanner.fault()).isEqualTo(fault);
        assertThat(scanner.faultOffset()).isEqualTo(offset);
        assertThat(scanner.end()).isEqualTo(offset == 6 ? 6 : 0);
        assertThat(scanner.messages()).isEqualTo(offset == 6 ? 1 : 0);
    }

    @Test
    void versionsMayAlternate() {
        // Given
        byte[] b = Bytes.ofHex("030000000604" + "040000000604" + "030000000605").toArray();

        // When
        scanner.scan(b, 0, b.length);

        // Then
        assertThat(scanner.fault()).isNull();
        assertThat(scanner.messages()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"100, 100, 1", "100, 101, 0", "6, 6, 1", "200000, 200000, 1"})
    void theLimitOfMessagesIsConfigurable(int limit, int length, int messages) {
        // Given
        byte[] b = new byte[length];
        System.arraycopy(Bytes.ofHex("03%08x04".formatted(length)).toArray(), 0, b, 0, 6);
        FrameScanner limited = new FrameScanner(limit);

        // When
        limited.scan(b, 0, length);

        // Then
        assertThat(limited.messages()).isEqualTo(messages);
        assertThat(limited.fault()).isEqualTo(messages == 1 ? null : FramingFault.TOO_LONG);
    }

    @Test
    void anExtendedMessageOfRfc8654IsAccepted() {
        // Given: 65,535 bytes of BGP behind 48 of BMP
        byte[] b = new byte[65_583];
        System.arraycopy(Bytes.ofHex("030001002f00").toArray(), 0, b, 0, 6);

        // When
        scanner.scan(b, 0, b.length);

        // Then
        assertThat(scanner.messages()).isEqualTo(1);
    }
}
