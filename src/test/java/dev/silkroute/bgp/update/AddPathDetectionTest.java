package dev.silkroute.bgp.update;

import static dev.silkroute.bgp.update.Updates.GOOD;
import static dev.silkroute.bgp.update.Updates.PREFIX;
import static dev.silkroute.bgp.update.Updates.mpReach;
import static dev.silkroute.bgp.update.Updates.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.AddPathReading;
import dev.silkroute.bgp.DecodeOutcome.Kind;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Path identifiers that routers send and do not announce, or announce and do not send (RFC 7911). */
class AddPathDetectionTest {
    private static final String WITH_ID = "00000001" + PREFIX;
    private static final AddPathFamilies IPV4 = AddPathFamilies.of(Family.IPV4_UNICAST);
    private static final String OTHER_PREFIX = "18c63365";

    private final UpdateDecoder decoder = new UpdateDecoder();

    private static UpdateContext context(AddPathFamilies agreed) {
        return new UpdateContext(true, agreed, AddPathPolicy.HEURISTIC);
    }

    /** How the NLRI were read: {@code COUNT, with identifiers or without}. */
    private String read(UpdateContext context, String nlri) {
        byte[] b = update("", GOOD, nlri);
        decoder.decode(b, 0, b.length, context);
        return decoder.count(0) + (decoder.addPath(0) ? " with" : " without");
    }

    @Test
    void identifiersThatNoOpenAnnouncesAreFoundInTheFirstMessage() {
        UpdateContext context = context(AddPathFamilies.NONE);

        assertThat(read(context, WITH_ID)).isEqualTo("1 with");
        assertThat(decoder.departure()).isEqualTo(Kind.PATH_IDENTIFIERS_UNANNOUNCED);
        assertThat(context.takeNews()).isTrue();
        assertThat(context.toJson()).isEqualTo("{\"add_path\":{\"ipv4-unicast\":\"sent, not announced\"}}");

        assertThat(read(context, WITH_ID + WITH_ID)).isEqualTo("2 with");
        assertThat(context.takeNews()).isFalse();
    }

    @Test
    void identifiersThatAreAnnouncedAndNotSentAreMissedInTheFirstMessage() {
        UpdateContext context = context(IPV4);

        assertThat(read(context, PREFIX)).isEqualTo("1 without");
        assertThat(decoder.departure()).isEqualTo(Kind.PATH_IDENTIFIERS_MISSING);
        assertThat(context.takeNews()).isTrue();
        assertThat(context.toJson()).isEqualTo("{\"add_path\":{\"ipv4-unicast\":\"announced, not sent\"}}");
    }

    @Test
    void anEncodingThatTheOpensNegotiatedIsNoDeparture() {
        UpdateContext with = context(IPV4);
        UpdateContext without = context(AddPathFamilies.NONE);

        assertThat(read(with, WITH_ID)).isEqualTo("1 with");
        assertThat(decoder.departure()).isNull();
        assertThat(read(without, PREFIX)).isEqualTo("1 without");
        assertThat(decoder.departure()).isNull();
        assertThat(with.takeNews() || without.takeNews()).isFalse();
    }

    /** Two /24 are also one /24 behind a path identifier of 415,445,860. */
    @Test
    void whatMakesSenseBothWaysIsReadAsWasProvedAndElseWithoutIdentifiers() {
        String ambiguous = PREFIX + OTHER_PREFIX;
        UpdateContext nothingProved = context(IPV4);
        assertThat(read(nothingProved, ambiguous)).isEqualTo("2 without");
        assertThat(nothingProved.addPath(Family.IPV4_UNICAST).proved()).isFalse();

        UpdateContext withProved = context(IPV4);
        read(withProved, WITH_ID);
        assertThat(read(withProved, ambiguous)).isEqualTo("1 with");
    }

    @Test
    void aMalformedMessageOfAProvedPeerIsNotLetThroughInTheOtherReading() {
        UpdateContext context = context(AddPathFamilies.NONE);
        read(context, PREFIX);
        assertThatThrownBy(() -> read(context, WITH_ID)).isInstanceOf(DecodeException.class);
        assertThat(context.addPath(Family.IPV4_UNICAST).pathIdentifiers()).isFalse();
        assertThat(read(context, PREFIX)).isEqualTo("1 without");
    }

    @Test
    void aReadingThatAMalformedMessageBroughtAboutDoesNotLast() {
        UpdateContext context = context(AddPathFamilies.NONE);
        assertThat(read(context, WITH_ID)).isEqualTo("1 with");
        int lost = 0;
        for (int i = 0; i < 20; i++) {
            try {
                read(context, PREFIX);
            } catch (DecodeException e) {
                lost++;
            }
        }
        assertThat(lost).isEqualTo(1);
        assertThat(context.addPath(Family.IPV4_UNICAST).mismatch()).isFalse();
    }

    @Test
    void aSettledReadingTakesManyContradictionsInARowToChange() {
        UpdateContext context = context(AddPathFamilies.NONE);
        for (int i = 0; i < 100; i++) {
            read(context, PREFIX);
        }
        int lost = 0;
        for (int i = 0; i < 20; i++) {
            try {
                read(context, WITH_ID);
            } catch (DecodeException e) {
                lost++;
            }
        }
        assertThat(lost).isEqualTo(8);
        assertThat(context.addPath(Family.IPV4_UNICAST).pathIdentifiers()).isTrue();
    }

    @Test
    void eachFamilyIsAMatterOfItsOwn() {
        UpdateContext context = context(AddPathFamilies.NONE);
        read(context, WITH_ID);
        byte[] b = update("", GOOD + mpReach(2, 1, "20010db8000000000000000000000001", "2020010db8"), "");
        decoder.decode(b, 0, b.length, context);
        assertThat(decoder.addPath(0)).isFalse();
        assertThat(context.addPath(Family.IPV6_UNICAST).mismatch()).isFalse();
        assertThat(context.addPath(Family.IPV4_UNICAST).mismatch()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"STRICT, false", "HEURISTIC, true", "FORCE, true"})
    void thePolicyDecides(AddPathPolicy policy, boolean taken) {
        UpdateContext context = new UpdateContext(true, AddPathFamilies.NONE, policy);
        if (taken) {
            assertThat(read(context, WITH_ID)).isEqualTo("1 with");
            assertThat(decoder.departure()).isEqualTo(Kind.PATH_IDENTIFIERS_UNANNOUNCED);
        } else {
            assertThatThrownBy(() -> read(context, WITH_ID)).isInstanceOf(DecodeException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(AddPathPolicy.class)
    void aPolicyIsNamedByItsText(AddPathPolicy policy) {
        assertThat(AddPathPolicy.of(" " + policy.text() + " ")).isEqualTo(policy);
        assertThatThrownBy(() -> AddPathPolicy.of("guess"))
                .hasMessage("'guess' is not an ADD-PATH policy; use one of strict, heuristic, force");
    }

    @Test
    void aHostileNumberOfFamiliesIsNotLearntAbout() {
        UpdateContext context = context(AddPathFamilies.NONE);
        AddPathReading first = context.addPath(1);
        for (int family = 2; family < 10_000; family++) {
            context.addPath(family);
        }
        assertThat(context.addPath(1)).isSameAs(first);
        assertThat(context.addPath(9_999)).isNotSameAs(context.addPath(9_999));
        assertThat(context.addPath(9_999).settled()).isTrue();
    }

    /** Dumps of random prefixes, small identifiers: whatever the OPENs contain, each message is read as written. */
    @Test
    void whateverIsAnnouncedARouterIsReadAsItWrites() {
        long seed = 20_261_121;
        Random random = new Random(seed);
        for (int run = 0; run < 2_000; run++) {
            boolean sends = random.nextBoolean();
            UpdateContext context = context(random.nextBoolean() ? IPV4 : AddPathFamilies.NONE);
            for (int message = 0; message < 12; message++) {
                int count = 1 + random.nextInt(4);
                StringBuilder nlri = new StringBuilder();
                for (int i = 0; i < count; i++) {
                    if (sends) {
                        nlri.append(String.format("%08x", 1 + random.nextInt(1000)));
                    }
                    int bits = 8 + random.nextInt(25);
                    int address = random.nextInt() & -1 << 32 - bits;
                    nlri.append(String.format("%02x", bits))
                            .append(String.format("%08x", address), 0, 2 * (bits + 7 >>> 3));
                }
                assertThat(read(context, nlri.toString()))
                        .as("seed %d, run %d, message %d: %s", seed, run, message, nlri)
                        .isEqualTo(count + (sends ? " with" : " without"));
            }
        }
    }
}
