package dev.silkroute.component.pgpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedStatementTest {
    @Test
    void namesBecomeNumbers() {
        assertThat(NamedStatement.split("INSERT INTO t VALUES (:#id, :#${body[name].trim()}, :#id::text)"))
                .containsExactly(new NamedStatement(
                        "INSERT INTO t VALUES ($1, $2, $1::text)", List.of("id", "${body[name].trim()}")));
    }

    @Test
    void semicolonsSeparate() {
        assertThat(NamedStatement.split(" SELECT :#a ;; UPDATE t SET b = :#b; "))
                .containsExactly(
                        new NamedStatement("SELECT $1", List.of("a")),
                        new NamedStatement("UPDATE t SET b = $1", List.of("b")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT 'a;:#b''c'",
                "SELECT \"a;:#b\"",
                "SELECT $$ ; :#a $$",
                "SELECT $tag$ ; $$ :#a $tag$",
                "SELECT E'\\';:#a'",
                "SELECT 1 -- ;:#a",
                "SELECT 1 /* ; /* :#a */ ; */ + 1",
                "SELECT a#>'{b}', a::text, '{}'::jsonb #>> '{x}'",
            })
    void quotedTextsAndCommentsAreLeftAlone(String sql) {
        assertThat(NamedStatement.split(sql)).containsExactly(new NamedStatement(sql, List.of()));
    }

    /** {@code $1$} is a parameter and begins no quote; E only quotes where it is a word. */
    @Test
    void lookAlikesAreNoQuotes() {
        assertThat(NamedStatement.split("SELECT :#a||:#b; SELECT name'\\'; SELECT :#c"))
                .extracting(NamedStatement::names)
                .containsExactly(List.of("a", "b"), List.of(), List.of("c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT :#", "SELECT :# a", "SELECT :#${body"})
    void aParameterWithoutNameIsRejected(String sql) {
        assertThatThrownBy(() -> NamedStatement.split(sql)).isInstanceOf(IllegalArgumentException.class);
    }
}
