package dev.silkroute.app.mock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.UsageError;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class StationTlsTest {
    private static final StationAddress STATION = new StationAddress("127.0.0.1", 11_019);

    @TempDir
    Path folder;

    @Test
    void filesThatCannotBeReadAreNamed() {
        Path missing = folder.resolve("missing.pem");

        fails(missing, null, null, "--tls-ca " + missing + " cannot be read: no such file or directory");
        fails(null, missing, missing, "--tls-certificate " + missing + " cannot be read: no such file or directory");
    }

    @Test
    void filesThatAreNotPemAreNamed() throws Exception {
        Path letter = Files.writeString(folder.resolve("letter"), "Dear Sir or Madam");

        fails(letter, null, null, "--tls-ca " + letter + " contains no valid certificate");
        fails(
                null,
                letter,
                letter,
                "--tls-certificate " + letter + " is not a certificate, or --tls-key " + letter
                        + " is not a private key without password (PKCS #8)");
    }

    private static void fails(
            @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key, String message) {
        assertThatThrownBy(() -> new StationTls(STATION, authorities, certificate, key))
                .isInstanceOf(UsageError.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource({
        "--tls-ca a, --tls-ca requires --tls",
        "--tls-certificate a --tls-key b, --tls-certificate requires --tls",
        "--tls-key b, --tls-key requires --tls",
        "--tls --tls-certificate a, --tls-certificate requires --tls-key",
        "--tls --tls-key b, --tls-key requires --tls-certificate"
    })
    void incompleteOptionsAreRejected(String options, String message) {
        StringWriter err = new StringWriter();
        CommandLine command = new CommandLine(new LoadCommand()).setErr(new PrintWriter(err));

        assertThat(command.execute(options.split(" "))).isEqualTo(2);
        assertThat(err.toString()).startsWith(message + System.lineSeparator());
    }
}
