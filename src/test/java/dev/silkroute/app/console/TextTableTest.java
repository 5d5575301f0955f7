package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.console.TextTable.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final List<Column> COLUMNS = List.of(new Column("route", false), new Column("MED", true));
    private static final List<List<String>> ROWS = List.of(List.of("192.0.2.0/24", "7"), List.of("::/0", ""));
    private static final String TABLE = """
             route        | MED
            --------------+-----
             192.0.2.0/24 |   7
             ::/0         |
            """;

    @Test
    void aTableThatFitsHasALineForEachRow() {
        assertThat(TextTable.of(COLUMNS, ROWS, 0)).isEqualTo(TABLE);
        assertThat(TextTable.of(COLUMNS, ROWS, 20)).isEqualTo(TABLE);
    }

    @Test
    void aTableThatIsTooWideHasALineForEachValue() {
        assertThat(TextTable.of(COLUMNS, ROWS, 19)).isEqualTo("""
                -[ 1 ]-------------
                route | 192.0.2.0/24
                MED   | 7
                -[ 2 ]-------------
                route | ::/0
                """);
    }
}
