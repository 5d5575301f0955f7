package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;

/**
 * Captures of other projects, which are not distributed with this one. The environment variable {@value #VARIABLE}
 * contains their directory; tests that need them are skipped if it is not set.
 */
public final class PublicCaptures {
    private static final String VARIABLE = "SILKROUTE_PUBLIC_CAPTURES";

    private PublicCaptures() {}

    public static Path folder() {
        String folder = System.getenv(VARIABLE);
        assumeThat(folder).as(VARIABLE).isNotNull();
        Path path = Path.of(folder);
        assertThat(path).as(VARIABLE).isDirectory();
        return path;
    }
}
