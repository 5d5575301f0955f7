package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.attribute.AttributeSchema;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.PublicCaptures;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.session.identity.RouterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The JSON of every attribute set of every capture conforms to its schema. */
class CapturedAttributesTest {
    private static final SessionConfig CONFIG = new SessionConfig("col", 100_000);

    @ParameterizedTest
    @ValueSource(
            strings = {"gobgp-all", "gobgp-mirror", "frr-all", "frr-labeled", "frr-malformed", "frr-noap", "bird-noap"})
    void setsOfOurCaptures(String name) {
        assertThat(check(CapturedAttributesTest.class.getResourceAsStream("/captures/" + name + ".bmp.gz")))
                .isPositive();
    }

    @Test
    void setsOfOtherProjectsCaptures() throws IOException {
        // Given
        Path folder = PublicCaptures.folder();
        List<Path> captures;
        try (Stream<Path> files = Files.list(folder)) {
            captures = files.filter(file -> file.toString().endsWith(".bmp.gz")).toList();
        }

        // When
        int sets = 0;
        for (Path capture : captures) {
            sets += check(Files.newInputStream(capture));
        }

        // Then
        assertThat(sets).isGreaterThan(100);
    }

    private static int check(InputStream capture) {
        Set<String> seen = new HashSet<>();
        BmpSession session =
                new BmpSession(CONFIG, 1, InetAddress.ofLiteral("192.0.2.99"), RouterIdentity.configured("r1"));
        byte[] stream = read(capture);
        int from = 0;
        int number = 0;
        while (from < stream.length) {
            int to = from;
            int count = 0;
            while (count < 200
                    && stream.length - to >= BmpMessages.COMMON_HEADER_LENGTH
                    && stream[to] == BmpMessages.VERSION
                    && BmpMessages.length(stream, to) <= stream.length - to) {
                to += BmpMessages.length(stream, to);
                count++;
            }
            assertThat(count)
                    .as("complete BMP messages at offset %d of %d", from, stream.length)
                    .isPositive();
            byte[] batch = Arrays.copyOfRange(stream, from, to);
            sets(session.decode(batch, number, 1, null), seen);
            number += count;
            from = to;
        }
        return seen.size();
    }

    private static void sets(DecodedBatch decoded, Set<String> seen) {
        if (decoded.routes().length == 0) {
            return;
        }
        RouteBatch batch = RouteBatch.read(decoded.routes());
        for (int set = 0; set < batch.attributeSetCount(); set++) {
            String json = PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set))
                    .toJson();
            if (seen.add(json)) {
                AttributeSchema.check(json);
            }
        }
    }

    private static byte[] read(InputStream capture) {
        try (InputStream in = new GZIPInputStream(capture)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
