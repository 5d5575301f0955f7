package dev.silkroute.postgres.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FirstWordTest {
    @ParameterizedTest
    @CsvSource({
        "select 1, select",
        "'  (SELECT 1) UNION SELECT 2', select",
        "'-- rollback\nInsert into t values (1)', insert",
        "'/* commit /* nested */ */ update t set a = 1', update",
        "';commit', commit",
        "'/* never ends', ''",
        "'-- only this', ''",
    })
    void isBehindWhiteSpaceAndComments(String sql, String word) {
        assertThat(FirstWord.of(sql)).isEqualTo(word);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT",
                "begin",
                "/* x */ rollback",
                "START TRANSACTION",
                "savepoint a",
                "copy t from stdin",
                "End"
            })
    void whatEndsTheTransactionIsRejected(String sql) {
        assertThatThrownBy(() -> FirstWord.check(sql))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be part of a pipeline");
    }

    @Test
    void nothingIsNoStatement() {
        assertThatThrownBy(() -> FirstWord.check(" -- nothing")).hasMessage("a statement is empty");
    }
}
