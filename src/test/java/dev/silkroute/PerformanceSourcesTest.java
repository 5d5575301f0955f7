package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sources of {@code perf}, which is a project of its own, against the classes of the station and of its tests. */
class PerformanceSourcesTest {
    private static final Path SOURCES = Path.of("perf/src/main/java");

    /** Sources that need a library that is not a dependency of the station, or the sources that need it. */
    private static final Pattern NEEDS_JMH =
            Pattern.compile("import (org\\.openjdk\\.jmh|dev\\.silkroute\\.perf\\.layout)\\.");

    @TempDir
    private static Path classes;

    private static List<Path> files = List.of();
    private static String errors = "";

    @BeforeAll
    static void compile() throws IOException {
        try (Stream<Path> all = Files.walk(SOURCES)) {
            files = all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !NEEDS_JMH.matcher(read(file)).find())
                    .toList();
        }
        var compiler = ToolProvider.getSystemJavaCompiler();
        var output = new StringWriter();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            output,
                            manager,
                            null,
                            List.of("-proc:none", "-nowarn", "-implicit:none", "-d", classes.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            errors = isCompiled ? "" : "not compiled: " + output;
        }
    }

    @Test
    void theyCompileWithTheStation() {
        assertThat(errors).isEmpty();
        assertThat(files).hasSizeGreaterThan(100);
    }

    /** The floods of the scenario hostile are valid input, each with different values of another kind. */
    @Test
    void floodsAreValidAndDifferFromEachOther() throws Exception {
        try (var loader = new URLClassLoader(
                new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
            Method check =
                    loader.loadClass("dev.silkroute.perf.hostile.FloodCheck").getMethod("check");
            assertThat((List<?>) check.invoke(null)).hasSizeGreaterThan(15);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
