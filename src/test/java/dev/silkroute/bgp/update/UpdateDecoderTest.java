package dev.silkroute.bgp.update;

import static dev.silkroute.bgp.update.Updates.AS_PATH;
import static dev.silkroute.bgp.update.Updates.GOOD;
import static dev.silkroute.bgp.update.Updates.NEXT_HOP;
import static dev.silkroute.bgp.update.Updates.ORIGIN;
import static dev.silkroute.bgp.update.Updates.PREFIX;
import static dev.silkroute.bgp.update.Updates.attribute;
import static dev.silkroute.bgp.update.Updates.message;
import static dev.silkroute.bgp.update.Updates.mpReach;
import static dev.silkroute.bgp.update.Updates.mpUnreach;
import static dev.silkroute.bgp.update.Updates.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.DecodeOutcome.Kind;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class UpdateDecoderTest {
    private static final String IPV6_NEXT_HOP = "20010db8000000000000000000000001";
    private static final String IPV6_PREFIX = "3020010db80005";
    private static final UpdateContext FOUR = UpdateContext.strict(true, AddPathFamilies.NONE);
    private static final UpdateContext TWO = UpdateContext.strict(false, AddPathFamilies.NONE);

    private final UpdateDecoder decoder = new UpdateDecoder();

    @Test
    void allFourFieldsAreSectionsWithdrawalsFirst() {
        // Given
        byte[] b = update(
                "18c63365",
                mpReach(2, 1, IPV6_NEXT_HOP, IPV6_PREFIX + IPV6_PREFIX) + GOOD + mpUnreach(2, 1, IPV6_PREFIX),
                PREFIX);

        // When
        decode(b, FOUR);

        // Then
        assertThat(decoder.sections()).isEqualTo(4);
        assertThat(Stream.of(0, 1, 2, 3).map(decoder::announces)).containsExactly(false, false, true, true);
        assertThat(Stream.of(0, 1, 2, 3).map(decoder::family))
                .containsExactly(Family.IPV4_UNICAST, Family.IPV6_UNICAST, Family.IPV4_UNICAST, Family.IPV6_UNICAST);
        assertThat(Stream.of(0, 1, 2, 3).map(decoder::count)).containsExactly(1, 1, 1, 2);
        assertThat(Hex.of(b, decoder.from(0), decoder.to(0))).isEqualTo("18c63365");
        assertThat(Hex.of(b, decoder.from(3), decoder.to(3))).isEqualTo(IPV6_PREFIX + IPV6_PREFIX);
        assertThat(decoder.outcomes()).isEmpty();
        assertThat(decoder.endOfRib()).isFalse();
    }

    @Test
    void setsAreSortedAndMpReachIsOnlyInItsOwn() {
        // Given
        byte[] b = update("", NEXT_HOP + AS_PATH + mpReach(2, 1, IPV6_NEXT_HOP, IPV6_PREFIX) + ORIGIN, PREFIX);

        // When
        decode(b, FOUR);

        // Then
        String common = "5001000100" + "500200060201" + "0000fde9" + "50030004c0000201";
        assertThat(attributes(0)).isEqualTo(common);
        assertThat(attributes(1)).isEqualTo(common + "900e0014" + "00020110" + IPV6_NEXT_HOP);
    }

    @Test
    void endOfRibHasAFamily() {
        // When, then
        decode(update("", "", ""), FOUR);
        assertThat(decoder.endOfRib()).isTrue();
        assertThat(decoder.endOfRibFamily()).isEqualTo(Family.IPV4_UNICAST);
        assertThat(decoder.sections()).isZero();

        decode(update("", mpUnreach(25, 70, ""), ""), FOUR);
        assertThat(decoder.endOfRib()).isTrue();
        assertThat(decoder.endOfRibFamily()).isEqualTo(Family.EVPN);

        decode(update("", mpUnreach(2, 1, "") + ORIGIN, ""), FOUR);
        assertThat(decoder.endOfRib()).isFalse();
    }

    @Test
    void attributesWithoutRoutesAreNoFault() {
        decode(update("", GOOD, ""), FOUR);

        assertThat(decoder.sections()).isZero();
        assertThat(decoder.outcomes()).isEmpty();
    }

    @Test
    void pathIdentifiersAreReadIfTheContextHasThem() {
        // Given
        UpdateContext context = UpdateContext.strict(true, AddPathFamilies.of(Family.IPV4_UNICAST));
        byte[] b = update(
                "00000001" + PREFIX,
                GOOD + mpReach(2, 1, IPV6_NEXT_HOP, IPV6_PREFIX),
                "00000001" + PREFIX + "00000002" + PREFIX);

        // When
        decode(b, context);

        // Then
        assertThat(Stream.of(0, 1, 2).map(decoder::addPath)).containsExactly(true, true, false);
        assertThat(Stream.of(0, 1, 2).map(decoder::count)).containsExactly(1, 2, 1);
    }

    @Test
    void afterTreatAsWithdrawEverySectionWithdraws() {
        // Given
        byte[] b =
                update("18c63365", "40010109" + AS_PATH + NEXT_HOP + mpReach(2, 1, IPV6_NEXT_HOP, IPV6_PREFIX), PREFIX);

        // When
        decode(b, FOUR);

        // Then
        assertThat(Stream.of(0, 1, 2).map(decoder::announces)).containsExactly(false, false, false);
        assertThat(decoder.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.kind()).isEqualTo(Kind.TREAT_AS_WITHDRAW);
            assertThat(outcome.attributeType()).isEqualTo(1);
            assertThat(outcome.section()).isEqualTo("RFC 7606, Section 7.1");
            assertThat(b[outcome.offset()]).isEqualTo((byte) 9);
        });
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                fault("ORIGIN of 0 bytes", "400100" + AS_PATH + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 1),
                fault("ORIGIN optional", "c0010100" + AS_PATH + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 1),
                fault("ORIGIN missing", AS_PATH + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 1),
                fault("AS_PATH missing", ORIGIN + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("AS_PATH segment type 9", ORIGIN + "40020609010000fde9" + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("AS_PATH segment type 0", ORIGIN + "40020600010000fde9" + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("AS_PATH segment empty", ORIGIN + "4002020200" + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("AS_PATH overrun", ORIGIN + "40020602ff0000fde9" + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("AS_PATH one byte more", ORIGIN + "40020702010000fde902" + NEXT_HOP, Kind.TREAT_AS_WITHDRAW, 2),
                fault("NEXT_HOP of 5 bytes", ORIGIN + AS_PATH + "400305c000020100", Kind.TREAT_AS_WITHDRAW, 3),
                fault("NEXT_HOP missing", ORIGIN + AS_PATH, Kind.MISSING_NEXT_HOP, 3),
                fault("MED of 3 bytes", GOOD + attribute(0x80, 4, "000001"), Kind.TREAT_AS_WITHDRAW, 4),
                fault("LOCAL_PREF of 0 bytes", GOOD + attribute(0x40, 5, ""), Kind.TREAT_AS_WITHDRAW, 5),
                fault("ATOMIC_AGGREGATE not empty", GOOD + attribute(0x40, 6, "00"), Kind.ATTRIBUTE_DISCARD, 6),
                fault("AGGREGATOR of 6 bytes", GOOD + attribute(0xC0, 7, "fde9c0000201"), Kind.ATTRIBUTE_DISCARD, 7),
                fault("COMMUNITIES of 5 bytes", GOOD + attribute(0xC0, 8, "fde9000100"), Kind.TREAT_AS_WITHDRAW, 8),
                fault("COMMUNITIES empty", GOOD + attribute(0xC0, 8, ""), Kind.TREAT_AS_WITHDRAW, 8),
                fault("ORIGINATOR_ID of 3 bytes", GOOD + attribute(0x80, 9, "0a0000"), Kind.TREAT_AS_WITHDRAW, 9),
                fault("CLUSTER_LIST empty", GOOD + attribute(0x80, 10, ""), Kind.TREAT_AS_WITHDRAW, 10),
                fault("extended of 9 bytes", GOOD + attribute(0xC0, 16, "00".repeat(9)), Kind.TREAT_AS_WITHDRAW, 16),
                fault(
                        "AS4_AGGREGATOR of 7 bytes",
                        GOOD + attribute(0xC0, 18, "00".repeat(7)),
                        Kind.ATTRIBUTE_DISCARD,
                        18),
                fault("PMSI of 2 bytes", GOOD + attribute(0xC0, 22, "0000"), Kind.TREAT_AS_WITHDRAW, 22),
                fault("tunnel TLV overrun", GOOD + attribute(0xC0, 23, "00080005aa"), Kind.TREAT_AS_WITHDRAW, 23),
                fault(
                        "IPv6 extended of 19 bytes",
                        GOOD + attribute(0xC0, 25, "00".repeat(19)),
                        Kind.TREAT_AS_WITHDRAW,
                        25),
                fault("AIGP TLV too short", GOOD + attribute(0x80, 26, "010004aa"), Kind.ATTRIBUTE_DISCARD, 26),
                fault("BGP-LS TLV overrun", GOOD + attribute(0x80, 29, "04020009"), Kind.ATTRIBUTE_DISCARD, 29),
                fault("large of 13 bytes", GOOD + attribute(0xC0, 32, "00".repeat(13)), Kind.TREAT_AS_WITHDRAW, 32),
                fault("OTC of 3 bytes", GOOD + attribute(0xC0, 35, "00fde9"), Kind.TREAT_AS_WITHDRAW, 35),
                fault("Prefix-SID TLV overrun", GOOD + attribute(0xC0, 40, "010007"), Kind.ATTRIBUTE_DISCARD, 40),
                fault("ATTR_SET of 3 bytes", GOOD + attribute(0xC0, 128, "00fde9"), Kind.TREAT_AS_WITHDRAW, 128),
                fault("unknown well-known", GOOD + attribute(0x40, 99, "7878"), Kind.UNRECOGNIZED_WELL_KNOWN, 99),
                fault("ORIGIN twice", GOOD + "40010101", Kind.ATTRIBUTE_DISCARD, 1),
                fault("attribute overrun", GOOD + "c008ff0000", Kind.TREAT_AS_WITHDRAW, -1),
                fault("extended length overrun", GOOD + "d008ffff0000", Kind.TREAT_AS_WITHDRAW, -1),
                fault("attribute header cut", GOOD + "c008", Kind.TREAT_AS_WITHDRAW, -1));
    }

    private static Arguments fault(String name, String attributes, Kind kind, int type) {
        return Arguments.of(name, attributes, kind, type);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void faultsAreOutcomes(String name, String attributes, Kind kind, int type) {
        // When
        decode(update("", attributes, PREFIX), FOUR);

        // Then
        assertThat(decoder.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.kind()).isEqualTo(kind);
            assertThat(outcome.attributeType()).isEqualTo(type);
            assertThat(outcome.section()).startsWith("RFC ");
        });
        assertThat(decoder.sections()).isEqualTo(1);
        assertThat(decoder.announces(0)).isEqualTo(kind != Kind.TREAT_AS_WITHDRAW);
        if (kind == Kind.ATTRIBUTE_DISCARD) {
            PathAttributes set = set(0);
            assertThat(set.has(type)).isEqualTo(type == 1);
            assertThat(set.origin()).isEqualTo(Origin.IGP);
        }
    }

    static Stream<Arguments> fatal() {
        String reach = ORIGIN + AS_PATH;
        return Stream.of(
                Arguments.of("marker", patched(update("", GOOD, PREFIX), 3, 0)),
                Arguments.of("length too small", patched(update("", GOOD, PREFIX), 17, 22)),
                Arguments.of("length too large", patched(update("", GOOD, PREFIX), 17, 255)),
                Arguments.of("KEEPALIVE", message(4, "")),
                Arguments.of("body of 1 byte", message(2, "00")),
                Arguments.of("withdrawn overrun", message(2, "00050000")),
                Arguments.of("attributes overrun", message(2, "0000ffff")),
                Arguments.of("length 33", update("", GOOD, "21c6336401ff")),
                Arguments.of("NLRI cut", update("", GOOD, "18c633")),
                Arguments.of("withdrawn NLRI cut", update("18c633", "", "")),
                Arguments.of(
                        "two MP_REACH",
                        update("", reach + mpReach(1, 1, "c0000201", "") + mpReach(1, 1, "c0000201", ""), "")),
                Arguments.of(
                        "two MP_UNREACH", update("", mpUnreach(2, 1, IPV6_PREFIX) + mpUnreach(2, 1, IPV6_PREFIX), "")),
                Arguments.of("MP_REACH of 3 bytes", update("", reach + attribute(0x80, 14, "000201"), "")),
                Arguments.of("MP_UNREACH of 2 bytes", update("", attribute(0x80, 15, "0002"), "")),
                Arguments.of("next hop overrun", update("", reach + attribute(0x80, 14, "000201ff00"), "")),
                Arguments.of(
                        "next hop of 15 bytes", update("", reach + mpReach(2, 1, "20".repeat(15), IPV6_PREFIX), "")),
                Arguments.of(
                        "MP prefix of 129 bits",
                        update("", reach + mpReach(2, 1, IPV6_NEXT_HOP, "81" + "01".repeat(17)), "")),
                Arguments.of("overrun without NLRI", update("", GOOD + "c008ff0000", "")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fatal")
    void whatCannotBeLocatedIsForQuarantine(String name, byte[] b) {
        assertThatExceptionOfType(DecodeException.class)
                .isThrownBy(() -> decode(b, FOUR))
                .satisfies(e -> {
                    assertThat(e.section()).startsWith("RFC ");
                    assertThat(e.offset()).isBetween(0, b.length);
                });
    }

    @Test
    void aLabelStackKeepsItsFormWhenTreatedAsWithdraw() {
        // Given: an invalid ORIGIN, and two labels before 198.51.0.0/16
        String attributes = "40010109" + AS_PATH + mpReach(1, 4, "c0000201", "40000100000111c633");
        byte[] b = update("", attributes, "");
        NlriReader reader = new NlriReader();

        // When
        decode(b, FOUR);
        reader.read(decoder.family(0), b, decoder.from(0), decoder.to(0), false, !decoder.announcedForm(0));

        // Then
        assertThat(decoder.announces(0)).isFalse();
        assertThat(decoder.announcedForm(0)).isTrue();
        assertThat(reader.labelCount()).isEqualTo(2);
        assertThat(Addresses.prefix(false, 0, reader.addressLow(), reader.prefixLength()))
                .isEqualTo("198.51.0.0/16");
    }

    @Test
    void bytesAfterTheMessageAreAnOutcome() {
        // Given
        byte[] message = update("", GOOD, PREFIX);
        byte[] b = Arrays.copyOf(message, message.length + 4);

        // When
        decode(b, FOUR);

        // Then
        assertThat(decoder.count(0)).isEqualTo(1);
        assertThat(decoder.outcomes()).singleElement().satisfies(outcome -> {
            assertThat(outcome.kind()).isEqualTo(Kind.TRAILING_BYTES);
            assertThat(outcome.offset()).isEqualTo(message.length);
        });
    }

    @Test
    void asPathDecidesItsOwnSize() {
        // Given
        String two = "40020602" + "02fde9fdea";
        byte[] b = update("", ORIGIN + two + NEXT_HOP, PREFIX);

        // When, then
        decode(b, TWO);
        assertThat(decoder.outcomes()).isEmpty();

        decode(b, FOUR);
        assertThat(decoder.fourOctetAs()).isFalse();
        assertThat(decoder.outcomes()).extracting(DecodeOutcome::kind).containsExactly(Kind.AS_SIZE_MISMATCH);
        assertThat(set(0).asns()).containsExactly(65001L, 65002L);

        decode(update("", GOOD, PREFIX), TWO);
        assertThat(decoder.fourOctetAs()).isTrue();
        assertThat(decoder.outcomes()).extracting(DecodeOutcome::kind).containsExactly(Kind.AS_SIZE_MISMATCH);
        assertThat(set(0).asns()).containsExactly(65001L);
    }

    /**
     * Two AS numbers announced as one segment of four: also four numbers of two octets, but then every other one is AS
     * 0.
     */
    @Test
    void aMalformedPathDoesNotPassInTheOtherSize() {
        decode(update("", ORIGIN + "4002" + "0a" + "0204" + "0000fde9" + "0000fdea" + NEXT_HOP, PREFIX), FOUR);

        assertThat(decoder.outcomes()).extracting(DecodeOutcome::kind).containsExactly(Kind.TREAT_AS_WITHDRAW);
        assertThat(decoder.announces(0)).isFalse();
    }

    static Stream<Arguments> merges() {
        // AS_TRANS is 5ba0. The AS_PATHs have two octets, the AS4_PATHs four.
        return Stream.of(
                Arguments.of("02" + "03" + "fde95ba0fdeb", "0202" + "fa56ea0b" + "0000fdeb", "65001 4200000011 65003"),
                Arguments.of("02025ba0fdeb", "0202" + "fa56ea0b" + "0000fdeb", "4200000011 65003"),
                Arguments.of("02015ba0", "0202" + "fa56ea0b" + "0000fdeb", "23456"),
                Arguments.of(
                        "0202fde95ba0" + "0102fdebfdec",
                        "0201fa56ea0b" + "01020000fdeb0000fdec",
                        "65001 4200000011 {65003,65004}"),
                Arguments.of("0301fc00" + "0202fde95ba0", "0201fa56ea0b", "(64512) 65001 4200000011"),
                Arguments.of("0202fde95ba0", "03010000fc00" + "0201fa56ea0b", "65001 4200000011"));
    }

    @ParameterizedTest
    @MethodSource("merges")
    void as4PathIsMerged(String asPath, String as4Path, String expected) {
        // Given
        String attributes = ORIGIN + attribute(0x40, 2, asPath) + NEXT_HOP + attribute(0xC0, 17, as4Path);

        // When
        decode(update("", attributes, PREFIX), TWO);

        // Then
        PathAttributes set = set(0);
        assertThat(set.asPath()).isNotNull();
        assertThat(set.asPath().text()).isEqualTo(expected);
        assertThat(set.value(17).orElseThrow().hex()).isEqualTo(as4Path);
        assertThat(decoder.outcomes()).isEmpty();
    }

    @Test
    void mergedSequencesAreOneSegment() {
        // Given
        String attributes =
                ORIGIN + attribute(0x40, 2, "0202fde95ba0") + NEXT_HOP + attribute(0xC0, 17, "0201fa56ea0b");

        // When
        decode(update("", attributes, PREFIX), TWO);

        // Then
        assertThat(set(0).value(2).orElseThrow().hex()).isEqualTo("0202" + "0000fde9" + "fa56ea0b");
    }

    @Test
    void aggregatorIsMergedOnlyFromAsTrans() {
        // Given
        String base = ORIGIN + attribute(0x40, 2, "0202fde95ba0") + NEXT_HOP + attribute(0xC0, 17, "0201fa56ea0b");
        String wide = attribute(0xC0, 18, "fa56ea0bc0000202");

        // When, then
        decode(update("", base + attribute(0xC0, 7, "5ba0c0000201") + wide, PREFIX), TWO);
        assertThat(set(0).value(7).orElseThrow().hex()).isEqualTo("fa56ea0bc0000202");
        assertThat(set(0).asPath()).isNotNull();
        assertThat(set(0).asPath().text()).isEqualTo("65001 4200000011");

        decode(update("", base + attribute(0xC0, 7, "fde9c0000201") + wide, PREFIX), TWO);
        assertThat(set(0).value(7).orElseThrow().hex()).isEqualTo("0000fde9c0000201");
        assertThat(set(0).asPath()).isNotNull();
        assertThat(set(0).asPath().text()).isEqualTo("65001 23456");
    }

    @Test
    void onlyTheFirstOfThousandsOfFaultsAreReported() {
        decode(update("", GOOD + ORIGIN.repeat(5000), PREFIX), FOUR);

        assertThat(decoder.outcomes()).hasSize(32);
        assertThat(decoder.announces(0)).isTrue();
    }

    @Test
    void oneMessageDoesNotLeakIntoTheNext() {
        // Given
        decode(update("18c63365", "40010109" + AS_PATH + NEXT_HOP + attribute(0xC0, 8, "fde90001"), PREFIX), FOUR);

        // When
        decode(update("", GOOD, PREFIX), FOUR);

        // Then
        assertThat(decoder.sections()).isEqualTo(1);
        assertThat(decoder.announces(0)).isTrue();
        assertThat(decoder.outcomes()).isEmpty();
        assertThat(set(0).types()).containsExactly(1, 2, 3);
    }

    private void decode(byte[] b, UpdateContext context) {
        decoder.decode(b, 0, b.length, context);
    }

    private static byte[] patched(byte[] b, int at, int value) {
        b[at] = (byte) value;
        return b;
    }

    private String attributes(int section) {
        ByteSink sink = new ByteSink();
        decoder.writeAttributes(indexOfAnnouncing(section), sink);
        return Hex.of(sink.array(), 0, sink.position());
    }

    private PathAttributes set(int section) {
        ByteSink sink = new ByteSink();
        decoder.writeAttributes(indexOfAnnouncing(section), sink);
        return PathAttributes.decode(sink.array(), 0, sink.position());
    }

    private int indexOfAnnouncing(int nth) {
        int seen = 0;
        for (int section = 0; section < decoder.sections(); section++) {
            if (decoder.announces(section) && seen++ == nth) {
                return section;
            }
        }
        throw new AssertionError("no announcing section " + nth);
    }
}
