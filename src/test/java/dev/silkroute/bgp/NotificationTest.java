package dev.silkroute.bgp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.net.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationTest {
    private static final String MARKER = "ff".repeat(16);

    @ParameterizedTest
    @CsvSource({
        "6, 2, cease/administrative-shutdown",
        "6, 9, cease/hard-reset",
        "6, 10, cease/bfd-down",
        "6, 0, cease",
        "6, 77, cease/77",
        "3, 5, update-message-error/attribute-length-error",
        "2, 11, open-message-error/role-mismatch",
        "2, 8, open-message-error/8",
        "4, 0, hold-timer-expired",
        "8, 0, send-hold-timer-expired",
        "0, 0, 0/0",
        "200, 255, 200/255",
    })
    void codesHaveNames(int code, int subcode, String text) {
        assertThat(Notification.text(code, subcode)).isEqualTo(text);
    }

    @Test
    void theOperatorsWordsAreRead() {
        // Given: RFC 9003, "bye", and another message behind
        byte[] b = Bytes.ofHex(MARKER + "0019" + "03" + "0602" + "03627965" + "ffff")
                .toArray();

        // When
        Notification notification = Notification.read(b, 0, b.length);

        // Then
        assertThat(notification.length()).isEqualTo(25);
        assertThat(notification.data().hex()).isEqualTo("03627965");
        assertThat(notification.shutdownCommunication()).hasValue("bye");
    }

    @Test
    void cutOnesAreNone() {
        byte[] b = Bytes.ofHex(MARKER + "0019" + "03" + "0602" + "03627965").toArray();
        for (int to = 0; to < b.length; to++) {
            assertThat(Notification.read(b, 0, to)).as("cut to %d", to).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"0602, 04627965", "0602, 00", "0602, ''", "0603, 03627965"})
    void whatIsNoCommunicationStaysData(String codes, String data) {
        byte[] b = Bytes.ofHex(MARKER + "%04x".formatted(21 + data.length() / 2) + "03" + codes + data)
                .toArray();
        Notification notification = Notification.read(b, 0, b.length);
        assertThat(notification.shutdownCommunication()).isEmpty();
        assertThat(notification.data().hex()).isEqualTo(data);
    }

    @Test
    void fsmEventsHaveNames() {
        assertThat(FsmEvent.text(10)).isEqualTo("HoldTimer_Expires");
        assertThat(FsmEvent.text(28)).isEqualTo("UpdateMsgErr");
        assertThat(FsmEvent.text(29)).isEqualTo("event-29");
    }
}
