package dev.silkroute.bgp.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.AsPaths;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.update.RandomUpdates.Generated;
import dev.silkroute.bgp.update.RandomUpdates.Routes;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is encoded is what is decoded, field by field. */
class UpdateRoundTripTest {
    private final UpdateDecoder decoder = new UpdateDecoder();

    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void decodingGivesBackWhatWasEncoded(boolean fourOctetAs, boolean addPath) {
        // Given
        int[] families = RandomUpdates.families();
        int[] all = Arrays.copyOf(families, families.length + 1);
        all[families.length] = Family.IPV4_UNICAST;
        UpdateContext context =
                UpdateContext.strict(fourOctetAs, addPath ? AddPathFamilies.of(all) : AddPathFamilies.NONE);
        for (long seed = 0; seed < 3000; seed++) {
            Generated generated = new RandomUpdates(seed).next(fourOctetAs, addPath);
            byte[] b = generated.update();

            // When
            decoder.decode(b, 0, b.length, context);

            // Then
            assertThat(decoder.outcomes()).as("seed %d", seed).isEmpty();
            int section = 0;
            section = routes(b, seed, section, generated.withdrawn(), generated, false);
            section = routes(b, seed, section, generated.unreach(), generated, false);
            section = routes(b, seed, section, generated.nlri(), generated, true);
            section = routes(b, seed, section, generated.reach(), generated, true);
            assertThat(decoder.sections()).isEqualTo(section);
        }
    }

    private int routes(byte[] b, long seed, int section, Routes routes, Generated generated, boolean announces) {
        if (routes.count() == 0) {
            return section;
        }
        assertThat(decoder.announces(section)).as("seed %d", seed).isEqualTo(announces);
        assertThat(decoder.family(section)).isEqualTo(routes.family());
        assertThat(decoder.count(section)).isEqualTo(routes.count());
        assertThat(decoder.addPath(section)).isEqualTo(generated.addPath());
        assertThat(Bytes.copyOf(b, decoder.from(section), decoder.to(section))).isEqualTo(routes.nlri());
        if (announces) {
            ByteSink out = new ByteSink();
            decoder.writeAttributes(section, out);
            PathAttributes set = PathAttributes.decode(out.array(), 0, out.position());
            Map<Integer, Bytes> expected = attributes(generated.attributes());
            if (routes == generated.reach()) {
                ByteSink nextHop = new ByteSink()
                        .u16(Family.afi(routes.family()))
                        .u8(Family.safi(routes.family()))
                        .u8(generated.nextHop().length())
                        .bytes(generated.nextHop());
                expected.put(AttributeCode.MP_REACH_NLRI, Bytes.of(nextHop.toByteArray()));
            }
            Map<Integer, Bytes> actual = new TreeMap<>();
            set.types().forEach(type -> actual.put(type, set.value(type).orElseThrow()));
            // AS numbers that do not fit into two octets remain beside the attribute they were merged into.
            actual.keySet().removeAll(Set.of(AttributeCode.AS4_PATH, AttributeCode.AS4_AGGREGATOR));
            assertThat(actual).as("seed %d", seed).isEqualTo(expected);
        }
        return section + 1;
    }

    private static Map<Integer, Bytes> attributes(Bytes written) {
        Map<Integer, Bytes> values = new TreeMap<>();
        byte[] b = written.toArray();
        int at = 0;
        while (at < b.length) {
            boolean extended = (b[at] & 0x10) != 0;
            int value = at + (extended ? 4 : 3);
            int end = value + (extended ? BigEndian.u16(b, at + 2) : BigEndian.u8(b, at + 2));
            values.put(BigEndian.u8(b, at + 1), Bytes.copyOf(b, value, end));
            at = end;
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(ints = {Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.VPNV4, Family.EVPN, 7 << 8 | 99})
    void endOfRibOfAnyFamily(int family) {
        // When
        ByteSink out = new ByteSink();
        int length = new UpdateEncoder(out, true, false).endOfRib(family);

        // Then
        assertThat(length).isEqualTo(out.position());
        decoder.decode(out.array(), 0, length, UpdateContext.strict(true, AddPathFamilies.NONE));
        assertThat(decoder.endOfRib()).isTrue();
        assertThat(decoder.endOfRibFamily()).isEqualTo(family);
    }

    @Test
    void messagesFollowEachOtherInOneSink() {
        // Given
        ByteSink out = new ByteSink();
        UpdateEncoder encoder = new UpdateEncoder(out, true, false);

        // When
        encoder.begin().ipv4(0x0A00_0000, 8).ipv4(0xC633_6480, 25);
        int first = encoder.end();
        encoder.begin()
                .attributes()
                .origin(Origin.EGP)
                .asPath(AsPaths.parse("64500"))
                .nextHop(0xC000_0201);
        encoder.nlri().raw(Bytes.ofHex("0000000700"));
        int second = encoder.end();

        // Then
        decoder.decode(out.array(), 0, first, UpdateContext.strict(true, AddPathFamilies.NONE));
        assertThat(Bytes.copyOf(out.array(), decoder.from(0), decoder.to(0)).hex())
                .isEqualTo("080a" + "19c6336480");
        decoder.decode(
                out.array(),
                first,
                first + second,
                UpdateContext.strict(true, AddPathFamilies.of(Family.IPV4_UNICAST)));
        assertThat(decoder.announces(0)).isTrue();
        assertThat(Bytes.copyOf(out.array(), decoder.from(0), decoder.to(0)).hex())
                .isEqualTo("0000000700");
    }

    @Test
    void extendedMessageFillsItsLengthToTheLastByte() {
        // Given
        ByteSink out = new ByteSink();
        UpdateEncoder encoder = new UpdateEncoder(out, true, true);

        // When
        encoder.begin();
        for (int i = 0; i < 65_512 / 4; i++) {
            encoder.ipv4(i << 8, 24);
        }
        int length = encoder.end();

        // Then
        assertThat(length).isEqualTo(65_535 - 65_512 % 4);
        decoder.decode(out.array(), 0, length, UpdateContext.strict(true, AddPathFamilies.NONE));
        assertThat(decoder.count(0)).isEqualTo(65_512 / 4);
    }

    @ParameterizedTest
    @CsvSource({"false, 1019", "true, 16379", "true, 17000", "true, 40000"})
    void tooLongMessageIsAnErrorAndLeavesNothing(boolean extended, int routes) {
        // Given
        ByteSink out = new ByteSink();
        out.u8(1);
        UpdateEncoder encoder = new UpdateEncoder(out, true, extended);
        encoder.begin();
        for (int i = 0; i < routes; i++) {
            encoder.ipv4(i << 8, 24);
        }

        // When, then
        assertThatIllegalArgumentException().isThrownBy(encoder::end).withMessageContaining("allowed");
        assertThat(out.position()).isEqualTo(1);
        assertThat(encoder.endOfRib(Family.IPV4_UNICAST)).isEqualTo(23);
    }

    @Test
    void fieldsOutOfOrderAreRejected() {
        UpdateEncoder encoder = new UpdateEncoder(new ByteSink(), true, false);

        assertThatIllegalStateException().isThrownBy(encoder::nlri);
        encoder.begin().attributes();
        assertThatIllegalStateException().isThrownBy(() -> encoder.ipv4(0, 0));
        assertThatIllegalStateException().isThrownBy(encoder::begin);
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "64500",
        "'64500 4200000011 {64501,64502}'",
        "'(64512 64513) [64514,64515] 64500'",
        "{64500} {64501} 64502",
    })
    void asPathHasOneText(String text) {
        assertThat(AsPaths.parse(text).text()).isEqualTo(text);
    }
}
