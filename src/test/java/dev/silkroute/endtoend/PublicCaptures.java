package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;

/**
 * Other projects' captures, which are not ours to copy: the environment variable {@value #VARIABLE} names the folder where they lie. A test that wants them is
 * skipped where it isn't set.
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
