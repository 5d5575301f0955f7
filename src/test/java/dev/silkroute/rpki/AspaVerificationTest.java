package dev.silkroute.rpki;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the verification of paths by tables of cases, and against an implementation of its definition. */
class AspaVerificationTest {
    /** Reads ASPAs such as {@code 1>2,3 4>0}: AS 2 and AS 3 are the providers of AS 1, and AS 4 has none. */
    private static AspaTable aspas(String text) {
        List<Aspa> aspas = new ArrayList<>();
        for (String aspa : text.split(" ")) {
            if (!aspa.isEmpty()) {
                String[] parts = aspa.split(">");
                aspas.add(new Aspa(
                        Integer.parseUnsignedInt(parts[0]),
                        Arrays.stream(parts[1].split(","))
                                .map(Integer::parseUnsignedInt)
                                .toList()));
            }
        }
        return AspaTable.of(aspas);
    }

    private static int[] path(String text) {
        return text.isEmpty()
                ? new int[0]
                : Arrays.stream(text.split(" "))
                        .mapToInt(Integer::parseUnsignedInt)
                        .toArray();
    }

    @ParameterizedTest(name = "{0}: path [{1}] by {2}")
    @CsvSource({
        "empty path, '', '1>2', invalid",
        "one AS without ASPA, '1', '', valid",
        "one AS with ASPA, '1', '1>2', valid",
        "one AS that has no providers, '1', '1>0', valid",
        "customer to provider, '2 1', '1>2', valid",
        "one of several providers, '3 1', '1>2,3,4', valid",
        "not a provider, '5 1', '1>2', invalid",
        "an AS that has no providers, '2 1', '1>0', invalid",
        "no ASPA, '2 1', '', unknown",
        "the ASPA of the neighbor only, '2 1', '2>1', unknown",
        "the neighbor has no providers, '2 1', '1>2 2>0', valid",
        "two steps up, '3 2 1', '1>2 2>3', valid",
        "the second step is not attested, '3 2 1', '1>2', unknown",
        "the first step is not attested, '3 2 1', '2>3', unknown",
        "the second step is denied, '3 2 1', '1>2 2>4', invalid",
        "the first step is denied, '3 2 1', '1>4 2>3', invalid",
        "denied after a step without ASPA, '3 2 1', '2>4', invalid",
        "denied before a step without ASPA, '3 2 1', '1>4', invalid",
        "a peer's route leaked to a provider, '3 2 1', '1>4 2>3', invalid",
        "a provider's route leaked to another, '4 3 2 1', '1>2 3>2,4', unknown",
        "the same with an ASPA of the provider, '4 3 2 1', '1>2 2>9 3>2,4', invalid",
        "four steps up, '5 4 3 2 1', '1>2 2>3 3>4 4>5', valid",
        "the last of four is denied, '5 4 3 2 1', '1>2 2>3 3>4 4>6', invalid",
        "the last of four is not attested, '5 4 3 2 1', '1>2 2>3 3>4', unknown",
        "two providers of each other, '2 1 2', '1>2 2>1', valid",
        "large AS numbers, '4294967294 4200000000 1', '1>4200000000 4200000000>4294967294', valid",
        "large AS numbers denied, '4294967295 4200000000 1', '1>4200000000 4200000000>4294967294', invalid",
    })
    void upstream(String name, String path, String aspas, String expected) {
        assertThat(AspaVerification.upstream(aspas(aspas), path(path)).text()).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: path [{1}] by {2}")
    @CsvSource({
        "empty path, '', '1>2', invalid",
        "one AS, '1', '1>0', valid",
        "two ASes are always valid, '2 1', '1>0 2>0', valid",
        "two ASes without ASPA, '2 1', '', valid",
        "only up, '3 2 1', '1>2 2>3', valid",
        "only down, '1 2 3', '1>2 2>3', valid",
        "up and down, '1 2 3', '1>2 3>2', valid",
        "up and down without the ASPA of the origin, '1 2 3', '1>2', valid",
        "up and down without the ASPA of the neighbor, '1 2 3', '3>2', valid",
        "nothing attested, '1 2 3', '', unknown",
        "a peer link at the top, '1 2 3 4', '1>2 4>3', valid",
        "a peer link at the top of ASes that have no providers, '1 2 3 4', '1>2 2>0 3>0 4>3', valid",
        "a peer link at the top without an ASPA, '1 2 3 4', '1>2 2>3', valid",
        "a peer link and one step not attested, '1 2 3 4', '1>2', unknown",
        "two peer links, '1 2 3 4 5', '1>2 3>0 5>4', unknown",
        "two peer links of ASes that have no providers, '1 2 3 4 5', '1>2 2>0 3>0 4>0 5>4', invalid",
        "a valley, '1 2 3', '1>0 3>0', invalid",
        "a valley where only the origin denies, '1 2 3', '3>0', unknown",
        "a valley where only the neighbor denies, '1 2 3', '1>0', unknown",
        "a customer leaks between providers, '9 2 1 3 8', '9>2 8>3 2>0 3>0', invalid",
        "the same without the ASPA of a provider, '9 2 1 3 8', '9>2 8>3 2>0', unknown",
        "the same without the ASPAs of both, '9 2 1 3 8', '9>2 8>3', unknown",
        "the denials meet, '1 2 3 4', '2>0 3>0 1>2 4>3', valid",
        "the denials leave one AS between, '1 2 3 4 5', '2>9 4>9 1>2 5>4', invalid",
        "denial of the down-ramp at the neighbor, '1 2 3 4', '1>9 4>3 3>2', valid",
        "denial of the up-ramp at the origin, '1 2 3 4', '4>9 1>2 2>3', valid",
        "a long way up and down, '1 2 3 4 5 6 7', '1>2 2>3 3>4 7>6 6>5 5>4', valid",
        "a long way with a gap at the top, '1 2 3 4 5 6 7', '1>2 2>3 7>6 6>5 5>4', valid",
        "a long way with two gaps, '1 2 3 4 5 6 7', '1>2 2>3 7>6 6>5', unknown",
        "two providers of each other, '1 2 3 2 5', '1>2 2>3 3>2 5>2', valid",
        "large AS numbers, '1 4294967294 4200000000 2', '1>4294967294 2>4200000000', valid",
    })
    void downstream(String name, String path, String aspas, String expected) {
        assertThat(AspaVerification.downstream(aspas(aspas), path(path)).text()).isEqualTo(expected);
    }

    /**
     * The definition: a ramp of the first {@code n} ASes exists in some world if no ASPA denies one of its steps, and
     * in every world if ASPAs attest all of them. A path from a provider consists of two ramps, which may meet in a
     * link between peers or share ASes.
     */
    private record Definition(Map<Integer, Set<Integer>> providers, int[] fromOrigin) {
        /** @param certain whether ASPAs must attest the step, or only not deny it */
        private boolean isUp(int from, int to, boolean certain) {
            Set<Integer> listed = providers.get(fromOrigin[from]);
            return listed == null ? !certain : listed.contains(fromOrigin[to]);
        }

        private boolean isUpRamp(int to, boolean certain) {
            for (int i = 0; i < to; i++) {
                if (!isUp(i, i + 1, certain)) {
                    return false;
                }
            }
            return true;
        }

        private boolean isDownRamp(int from, boolean certain) {
            for (int i = fromOrigin.length - 1; i > from; i--) {
                if (!isUp(i, i - 1, certain)) {
                    return false;
                }
            }
            return true;
        }

        private boolean hasTwoRamps(boolean certain) {
            for (int top = 0; top < fromOrigin.length; top++) {
                if (isUpRamp(top, certain) && isDownRamp(Math.min(top + 1, fromOrigin.length - 1), certain)) {
                    return true;
                }
            }
            return false;
        }

        AspaVerdict upstream() {
            int last = fromOrigin.length - 1;
            return isUpRamp(last, true)
                    ? AspaVerdict.VALID
                    : isUpRamp(last, false) ? AspaVerdict.UNKNOWN : AspaVerdict.INVALID;
        }

        AspaVerdict downstream() {
            return hasTwoRamps(true)
                    ? AspaVerdict.VALID
                    : hasTwoRamps(false) ? AspaVerdict.UNKNOWN : AspaVerdict.INVALID;
        }
    }

    @Test
    void pathsAreVerifiedAsTheDefinitionStates() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] verdicts = new int[2 * AspaVerdict.values().length];
        for (int round = 0; round < 100_000; round++) {
            int asns = 2 + random.nextInt(6);
            Map<Integer, Set<Integer>> providers = new HashMap<>();
            List<Aspa> aspas = new ArrayList<>();
            for (int customer = 1; customer <= asns; customer++) {
                if (random.nextInt(4) > 0) {
                    Set<Integer> listed = new HashSet<>();
                    do {
                        listed.add(random.nextInt(asns + 1));
                    } while (random.nextInt(3) > 0);
                    providers.put(customer, listed);
                    aspas.add(new Aspa(customer, List.copyOf(listed)));
                }
            }
            int[] path = new int[1 + random.nextInt(8)];
            for (int i = 0; i < path.length; i++) {
                do {
                    path[i] = 1 + random.nextInt(asns);
                } while (i > 0 && path[i] == path[i - 1]);
            }
            int[] fromOrigin = new int[path.length];
            Arrays.setAll(fromOrigin, i -> path[path.length - 1 - i]);
            Definition definition = new Definition(providers, fromOrigin);
            AspaTable table = AspaTable.of(aspas);
            String input = "path " + Arrays.toString(path) + " by " + aspas + ", seed " + seed;
            AspaVerdict upstream = AspaVerification.upstream(table, path);
            AspaVerdict downstream = AspaVerification.downstream(table, path);
            assertThat(upstream).as(input).isEqualTo(definition.upstream());
            assertThat(downstream).as(input).isEqualTo(definition.downstream());
            verdicts[upstream.ordinal()]++;
            verdicts[AspaVerdict.values().length + downstream.ordinal()]++;
        }
        assertThat(Arrays.stream(verdicts))
                .as("each verdict is frequent, seed " + seed)
                .allMatch(count -> count > 1_000);
    }

    @Test
    void aTableHasAllProvidersOfACustomer() {
        AspaTable table = aspas("4200000000>7,3 1>2 4200000000>3,4294967295 5>0");
        assertThat(table.toList())
                .containsExactly(
                        new Aspa(1, List.of(2)),
                        new Aspa(5, List.of(0)),
                        new Aspa(Integer.parseUnsignedInt("4200000000"), List.of(3, 7, -1)));
        assertThat(table.size()).isEqualTo(3);
        assertThat(table.providers()).isEqualTo(5);
        assertThat(table.attestation(1, 2)).isEqualTo(AspaTable.Attestation.PROVIDER);
        assertThat(table.attestation(1, 0)).isEqualTo(AspaTable.Attestation.NOT_PROVIDER);
        assertThat(table.attestation(2, 1)).isEqualTo(AspaTable.Attestation.NONE);
        assertThat(table.attestation(-1, 1)).isEqualTo(AspaTable.Attestation.NONE);
        assertThat(table.attestation(5, 3)).isEqualTo(AspaTable.Attestation.NOT_PROVIDER);
    }

    @Test
    void changesMakeANewTable() {
        AspaTable base = aspas("1>2,3 4>5");
        AspaChanges changes = new AspaChanges(base);
        changes.announce(new Aspa(1, List.of(3, 2)));
        assertThat(changes.toTable()).as("an equal ASPA").isSameAs(base);
        assertThat(changes.withdraw(9)).isFalse();
        assertThat(changes.toTable()).isSameAs(base);
        changes.announce(new Aspa(1, List.of(7)));
        assertThat(changes.withdraw(4)).isTrue();
        assertThat(changes.withdraw(4)).isFalse();
        changes.announce(new Aspa(6, List.of(8, 9)));
        assertThat(changes.providers()).isEqualTo(3);
        assertThat(changes.toTable().toList()).isEqualTo(aspas("1>7 6>8,9").toList());
        assertThat(base.toList()).as("the old table").hasSize(2);
    }
}
