package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CollectorNumbersTest {
    private final CollectorNumbers numbers = new CollectorNumbers();

    @Test
    void aNumberBelongsToTheFirstCollectorThatClaimsIt() {
        assertThat(numbers.free()).isZero();
        numbers.apply("a", 0);
        numbers.apply("b", 0);
        assertThat(numbers.of("a")).hasValue(0);
        assertThat(numbers.of("b")).as("the second claim of 0").isEmpty();
        assertThat(numbers.free()).isEqualTo(1);
        numbers.apply("b", 1);
        assertThat(numbers.of("b")).hasValue(1);
        numbers.apply("a", 2);
        assertThat(numbers.of("a")).as("it has one already").hasValue(0);
    }

    @Test
    void numbersRepeatIfThereAreMoreCollectors() {
        for (int i = 0; i <= CollectorNumbers.LIMIT; i++) {
            numbers.apply("c" + i, numbers.free());
            assertThat(numbers.of("c" + i)).hasValue(i % CollectorNumbers.LIMIT);
        }
        numbers.apply("other", CollectorNumbers.LIMIT);
        assertThat(numbers.of("other")).as("an invalid number").isEmpty();
    }
}
