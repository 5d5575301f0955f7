package dev.silkroute.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CsvWriterTest {
    @Test
    void quotesWhatNeedsIt() {
        assertThat(CsvWriter.quoted("plain text")).isEqualTo("plain text");
        assertThat(CsvWriter.quoted("a,b")).isEqualTo("\"a,b\"");
        assertThat(CsvWriter.quoted("say \"x\"")).isEqualTo("\"say \"\"x\"\"\"");
        assertThat(CsvWriter.quoted("two\nlines")).isEqualTo("\"two\nlines\"");
        assertThat(CsvWriter.quoted("")).isEqualTo("\"\"");
    }
}
