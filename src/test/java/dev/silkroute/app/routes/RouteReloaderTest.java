package dev.silkroute.app.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.app.config.Roles;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.TreeMap;
import org.apache.camel.CamelContext;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.model.Model;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of the routes directory, which the test polls itself. */
class RouteReloaderTest {
    @TempDir
    Path folder;

    private final CamelContext context = new DefaultCamelContext();
    private RouteReloader reloader;

    @BeforeEach
    void start() {
        reloader =
                new RouteReloader(context, new SmallRyeConfigBuilder().build(), RouteFiles.of(Roles.of("api"), folder));
        reloader.includePattern();
        context.start();
        reloader.adopt();
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private static String route(String id, String from) {
        return """
                - route:
                    id: %s
                    from:
                      uri: direct:%s
                      steps:
                        - log: hello
                """.formatted(id, from);
    }

    private static String route(String id) {
        return route(id, id);
    }

    private void write(String name, String... routes) throws IOException {
        Files.writeString(folder.resolve(name), String.join("", routes));
    }

    /** Twice: a change is acted on when it has come to rest. */
    private void look() {
        reloader.onReload("test");
        reloader.onReload("test");
    }

    /** The started routes and the files that they are of. */
    private Map<String, String> routes() {
        var model = context.getCamelContextExtension().getContextPlugin(Model.class);
        Map<String, String> routes = new TreeMap<>();
        for (var route : model.getRouteDefinitions()) {
            if (context.getRouteController().getRouteStatus(route.getRouteId()).isStarted()) {
                routes.put(
                        route.getRouteId(),
                        Path.of(RouteFile.shown(route.getResource().getLocation()))
                                .getFileName()
                                .toString());
            }
        }
        return routes;
    }

    /** The volume of a Kubernetes ConfigMap: files are symbolic links into a directory that another link names. */
    @Test
    void aLinkToTheDirectoryOfAllFilesIsSwapped() throws IOException {
        version("..1", route("first"));
        Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(folder.resolve("own.camel.yaml"), Path.of("..data/own.camel.yaml"));
        look();
        assertThat(routes()).containsOnlyKeys("first");

        version("..2", route("other"));
        Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..2"));
        Files.move(next, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        look();
        assertThat(routes()).containsOnlyKeys("other");
    }

    private void version(String name, String route) throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("own.camel.yaml"), route);
    }

    @Test
    void aFileIsRenamed() throws IOException {
        write("zz.yaml", route("mine"));
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "zz.yaml"));
        Files.move(folder.resolve("zz.yaml"), folder.resolve("aa.yaml"));
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "aa.yaml"));
        Files.move(folder.resolve("aa.yaml"), folder.resolve("yy.yaml"));
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "yy.yaml"));
        Files.delete(folder.resolve("yy.yaml"));
        look();
        assertThat(routes()).isEmpty();
    }

    @Test
    void routesMoveBetweenFiles() throws IOException {
        write("a.yaml", route("one"));
        write("z.yaml", route("two"), route("three"));
        look();
        write("a.yaml", route("one"), route("two"));
        write("z.yaml", route("three"));
        look();
        assertThat(routes())
                .containsExactlyInAnyOrderEntriesOf(Map.of("one", "a.yaml", "two", "a.yaml", "three", "z.yaml"));
        write("a.yaml", route("three"));
        write("z.yaml", route("two"), route("one"));
        look();
        assertThat(routes())
                .containsExactlyInAnyOrderEntriesOf(Map.of("one", "z.yaml", "two", "z.yaml", "three", "a.yaml"));
    }

    @Test
    void aBrokenFileDoesNotEndWhatMovesToIt() throws IOException {
        write("zz.yaml", route("mine"));
        look();
        Files.delete(folder.resolve("zz.yaml"));
        write("aa.yaml", route("mine").replace("log", "logg"));
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "zz.yaml"));
        write("aa.yaml", route("mine"));
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "aa.yaml"));
    }

    @Test
    void whatCannotBeStartedLeavesAllWhereItWas() throws IOException {
        write("listener.yaml", route("listener", "taken"));
        write("a.yaml", route("one"));
        write("z.yaml", route("two"), route("three"));
        look();
        Map<String, String> before = routes();
        assertThat(before).hasSize(4);
        // A direct endpoint accepts one consumer only, which a rehearsal cannot detect
        write("a.yaml", route("two", "taken"));
        write("z.yaml", route("three"), route("one"));
        look();
        assertThat(routes()).isEqualTo(before);
        write("a.yaml", route("two"));
        look();
        assertThat(routes())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("listener", "listener.yaml", "one", "z.yaml", "two", "a.yaml", "three", "z.yaml"));
    }

    @Test
    void aFileThatCannotBeReadLeavesTheOthersTheirEdits() throws IOException {
        write("a.yaml", route("one"));
        write("m.yaml", route("two"));
        write("z.yaml", route("three"));
        look();
        Files.write(folder.resolve("m.yaml"), new byte[] {(byte) 0xe4});
        write("a.yaml", route("four"));
        Files.delete(folder.resolve("z.yaml"));
        look();
        assertThat(routes()).containsExactlyInAnyOrderEntriesOf(Map.of("four", "a.yaml", "two", "m.yaml"));
    }

    @Test
    void whatCouldNotBeReadIsTriedAgainThoughItsMarksAreTheSame() throws IOException {
        Path file = folder.resolve("mine.yaml");
        byte[] text = route("mine").getBytes(StandardCharsets.UTF_8);
        byte[] broken = text.clone();
        broken[broken.length - 1] = (byte) 0xe4;
        Files.write(file, broken);
        FileTime time = Files.getLastModifiedTime(file);
        look();
        assertThat(routes()).isEmpty();
        Files.write(file, text);
        Files.setLastModifiedTime(file, time);
        look();
        assertThat(routes()).containsExactly(Map.entry("mine", "mine.yaml"));
    }
}
