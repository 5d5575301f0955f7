package dev.silkroute.postgres.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Which parts of a record are stored and which are set aside, by a storage that fails for some units. */
class SplitRecordTest {
    private static final String CANCELED = "57014";
    private static final int UNITS = 1000;

    private final List<Integer> stored = new ArrayList<>();
    private final List<String> aside = new ArrayList<>();
    private long now;
    private int attempts;

    private long store(IntPredicate fails, long nanosOfFailure) throws SQLException {
        return store(fails, nanosOfFailure, CANCELED);
    }

    private long store(IntPredicate fails, long nanosOfFailure, String state) throws SQLException {
        SplitRecord.Storage storage = new SplitRecord.Storage() {
            @Override
            public long write(int from, int to) throws SQLException {
                attempts++;
                for (int unit = from; unit < to; unit++) {
                    if (fails.test(unit)) {
                        now += nanosOfFailure;
                        throw new SQLException("unit " + unit, state);
                    }
                }
                for (int unit = from; unit < to; unit++) {
                    stored.add(unit);
                }
                return to - from;
            }

            @Override
            public void setAside(int from, int to, Exception problem) {
                aside.add(from + "-" + (to - 1));
            }
        };
        return new SplitRecord(storage, 1000, () -> now).store(0, UNITS);
    }

    @Test
    void givenARecordThatCanBeStoredThenItIsStoredAtOnce() throws SQLException {
        assertThat(store(_ -> false, 1)).isEqualTo(UNITS);
        assertThat(attempts).isEqualTo(1);
    }

    @Test
    void givenUnitsThatCannotBeStoredThenOnlyTheseAreSetAsideAndTheOthersStoredInOrder() throws SQLException {
        assertThat(store(Set.of(0, 500, 501)::contains, 1)).isEqualTo(UNITS - 3);
        assertThat(aside).containsExactly("0-0", "500-500", "501-501");
        assertThat(stored).isSorted().hasSize(UNITS - 3);
    }

    @Test
    void givenNoTimeLeftThenTheRestIsSetAsideAsOnePart() throws SQLException {
        store(unit -> unit >= 300, 250);
        assertThat(now).isLessThanOrEqualTo(1500);
        assertThat(aside).hasSize(1);
        assertThat(aside.getFirst()).isEqualTo(stored.size() + "-" + (UNITS - 1));
    }

    @Test
    void givenARecordOfWhichNothingCanBeStoredThenFewPartsAreSetAside() throws SQLException {
        store(_ -> true, 0);
        assertThat(aside).hasSize(SplitRecord.MOST_SET_ASIDE + 1).endsWith("64-999");
        assertThat(attempts).isLessThan(200);
    }

    @Test
    void givenAFailureOfTheDatabaseThenNothingIsSetAside() {
        assertThatThrownBy(() -> store(unit -> unit == 7, 1, "08006")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> store(unit -> unit == 7, 1, "55P03")).isInstanceOf(SQLException.class);
        assertThat(aside).isEmpty();
    }
}
