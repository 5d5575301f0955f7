package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.net.DecodeException;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedecoderTest {
    private static final SessionConfig CONFIG = new SessionConfig("c1", 1000);
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.1");
    private static byte[] stream;
    private static List<String> original;

    @BeforeAll
    static void decode() throws IOException {
        try (InputStream in =
                new GZIPInputStream(RedecoderTest.class.getResourceAsStream("/captures/frr-all.bmp.gz"))) {
            stream = in.readAllBytes();
        }
        original = events(new BmpSession(CONFIG, 7, ADDRESS, RouterIdentity.configured("frr-1"))
                .decode(stream, 0, 42, null)
                .routes());
    }

    private static List<String> events(byte[] record) {
        List<String> events = new ArrayList<>();
        if (record.length == 0) {
            return events;
        }
        RouteBatch batch = RouteBatch.read(record);
        assertThat(batch.sessionId()).isEqualTo(7);
        assertThat(batch.receivedAtMicros()).isEqualTo(42);
        assertThat(batch.router()).isEqualTo("frr-1");
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            String nlri = cursor.kind().isRoute()
                    ? Arrays.toString(Arrays.copyOfRange(
                            batch.bytes(), cursor.nlri().from(), cursor.nlri().to()))
                    : "";
            String attributes = cursor.attributeSet() < 0 ? "" : " " + batch.hashLow(cursor.attributeSet());
            events.add((cursor.sequence() >> 16) + ": " + cursor.sequence() + " " + cursor.kind() + " "
                    + cursor.family() + " " + nlri + attributes);
        }
        return events;
    }

    private static List<String> redecode(LongPredicate wanted, boolean fromItsBeginning) {
        List<String> events = new ArrayList<>();
        Redecoder redecoder = new Redecoder(CONFIG, "c1", "frr-1", 7, ADDRESS, fromItsBeginning);
        redecoder.decode(stream, 0, 42, wanted, (first, messages, batch) -> events.addAll(events(batch.routes())));
        return events;
    }

    @Test
    void givenAllMessagesWhenRedecodedThenTheEventsAreTheSame() {
        assertThat(redecode(any -> true, true)).isEqualTo(original);
    }

    @Test
    void givenSelectedMessagesWhenRedecodedThenTheirEventsAreTheSame() {
        LongPredicate wanted = message -> message % 7 == 3 || message % 11 < 2;
        assertThat(redecode(wanted, true))
                .isNotEmpty()
                .isEqualTo(original.stream()
                        .filter(event -> wanted.test(Long.parseLong(event.substring(0, event.indexOf(':')))))
                        .toList());
    }

    @Test
    void givenASessionWithoutItsBeginningThenItsBeginningIsNotReportedAgain() {
        assertThat(redecode(any -> true, true))
                .filteredOn(event -> event.contains("SESSION_UP"))
                .hasSize(1);
        assertThat(redecode(any -> true, false))
                .filteredOn(event -> event.contains("SESSION_UP"))
                .isEmpty();
    }

    @Test
    void givenBytesThatAreNotWholeMessagesThenTheyAreRejectedWithTheOffset() {
        assertThat(Redecoder.messages(stream)).isPositive();
        byte[] cut = Arrays.copyOf(stream, stream.length - 1);
        assertThatThrownBy(() -> Redecoder.messages(cut)).isInstanceOf(DecodeException.class);
        assertThatThrownBy(() -> Redecoder.messages(new byte[] {3, 0, 0, 0, 0, 0}))
                .isInstanceOf(DecodeException.class);
        assertThat(Redecoder.messages(new byte[0])).isZero();
    }
}
