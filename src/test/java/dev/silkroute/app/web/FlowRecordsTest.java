package dev.silkroute.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlowRecordsTest {
    private static List<String> texts(FlowRecords records) {
        return records.records().stream()
                .map(record -> new String(record, UTF_8))
                .toList();
    }

    @Test
    void jsonIsOneRecordOrAnArrayOfThem() {
        assertThat(texts(FlowRecords.json("{\"a\": 1}".getBytes(UTF_8)))).containsExactly("{\"a\":1}");
        FlowRecords several = FlowRecords.json("[{\"a\": 1}, 7, {\"b\": \"Zürich\"}]".getBytes(UTF_8));
        assertThat(texts(several)).containsExactly("{\"a\":1}", "7", "{\"b\":\"Zürich\"}");
        assertThat(several.positions()).containsExactly(1, 2, 3);
        assertThat(FlowRecords.json("[]".getBytes(UTF_8)).records()).isEmpty();
    }

    @Test
    void numbersKeepTheirDigits() {
        assertThat(texts(FlowRecords.json(
                        "{\"t\":1699999999.123456789,\"x\":1e400,\"y\":100000000000000000000.5,\"d\":1.10,\"h\":1e999999999,\"n\":123456789012345678901234567890}"
                                .getBytes(UTF_8))))
                .containsExactly(
                        "{\"t\":1699999999.123456789,\"x\":1E+400,\"y\":100000000000000000000.5,\"d\":1.10,\"h\":1E+999999999,\"n\":123456789012345678901234567890}");
    }

    @Test
    void invalidJsonIsRejectedAsAWholeWithItsPosition() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlowRecords.json("[{\"a\": 1},\n {\"a\" 2}]".getBytes(UTF_8)))
                .withMessageStartingWith("the body is not valid JSON: ")
                .withMessageEndingWith(" at line 2, character 7; no record was accepted");
        for (String other : List.of("7", "", "null", "{} {}")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> FlowRecords.json(other.getBytes(UTF_8)))
                    .withMessageStartingWith("the body is n");
        }
    }

    @Test
    void linesAreNotParsedAndBlankOnesCountOnlyInThePositions() {
        FlowRecords lines = FlowRecords.lines("{\"a\":1}\r\n\n  {broken\n".getBytes(UTF_8));
        assertThat(texts(lines)).containsExactly("{\"a\":1}", "{broken");
        assertThat(lines.positions()).containsExactly(1, 3);
        assertThat(lines.unit()).isEqualTo("line");
    }
}
