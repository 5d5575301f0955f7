package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.StationProcess;
import dev.silkroute.fixture.TestMessages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits of the routes directory while the station runs. */
class LiveRoutesIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static Path routes;
    private static StationProcess station;

    @BeforeAll
    static void start() throws IOException {
        routes = Files.createDirectory(folder.resolve("routes"));
        station = StationProcess.startOnSharedServers(
                folder.resolve("data"), "--routes-dir", routes.toString(), "--roles", "collector");
    }

    @AfterAll
    static void stop() {
        station.close();
    }

    private static String timer(String id, String step) {
        return """
            - route:
                id: %s
                from:
                  uri: timer:%s?repeatCount=1
                  steps:
                    - %s
            """.formatted(id, id, step);
    }

    private static void awaitLog(String text) {
        await().until(() -> station.log().contains(text));
    }

    private static Map<String, String> runningRoutes() throws IOException {
        Map<String, String> running = new TreeMap<>();
        JSON.readTree(station.get("/api/v1/status").body())
                .path("routes")
                .forEach(route -> running.put(
                        route.path("id").asText(), route.path("state").asText()));
        return running;
    }

    @Test
    void filesAreAddedEditedRenamedAndDeleted() throws IOException {
        Path file = routes.resolve("added.yaml");
        Files.writeString(file, timer("first", "log: added-one"));
        awaitLog("[first] added-one");
        Files.writeString(file, timer("first", "log: added-two"));
        awaitLog("added-two");
        Files.writeString(file, timer("second", "log: added-three on {{silkroute.bmp-port}}"));
        awaitLog("[second] added-three on " + station.bmpPort());
        assertThat(runningRoutes()).containsKeys("second", "collector").doesNotContainKey("first");
        Files.delete(file);
        awaitLog("Removed " + file);
        assertThat(runningRoutes()).containsKey("collector").doesNotContainKey("second");
    }

    @Test
    void aFileIsRenamedToAnEarlierName() throws IOException {
        Path file = routes.resolve("zz.yaml");
        Files.writeString(file, timer("moving", "log: moving-on"));
        awaitLog("moving-on");
        Path renamed = Files.move(file, routes.resolve("aa.yaml"));
        awaitLog("Removed " + file + ": other files have its routes");
        assertThat(station.log()).contains("Loaded " + renamed + ": routes moving");
        assertThat(runningRoutes()).containsEntry("moving", "started");
        Files.delete(renamed);
        awaitLog("Removed " + renamed + ": routes stopped: moving");
    }

    @Test
    void xmlFilesAreReloaded() throws IOException {
        String valid = """
            <routes xmlns="http://camel.apache.org/schema/xml-io">
              <route id="other">
                <from uri="timer:other?repeatCount=1"/>
                <log message="written in XML"/>
              </route>
            </routes>
            """;
        Path file = Files.writeString(routes.resolve("other.xml"), valid);
        awaitLog("[other] written in XML");
        Files.writeString(
                file,
                "<routes xmlns=\"http://camel.apache.org/schema/xml-io\">\n"
                        + "  <route id=\"other\">\n"
                        + "    <form/>\n"
                        + "  </route>\n"
                        + "</routes>\n");
        awaitLog(file + ", line 3: Unexpected element 'form'");
        assertThat(runningRoutes()).containsEntry("other", "started");
        Files.writeString(file, valid);
        awaitLog(file + " is again as it was loaded; its routes keep running");
    }

    /** All files at once, because the station takes a second to notice a change. */
    @Test
    void brokenFilesAreRejectedWhileTheOldRouteKeepsRunning() throws IOException {
        Map<String, String> rejections = new TreeMap<>(Map.of(
                timer("%s", "logg: no such step"),
                ", line 6: Unknown node id: logg",
                timer("%s", "to: nowhere:x"),
                ", line 6: No endpoint could be found for: nowhere://x",
                timer("%s", "to: log:x?levle=INFO"),
                "Unknown parameters=[{levle=INFO}]",
                timer("%s", "bean:\n              ref: nobody"),
                ", line 6: No bean could be found in the registry for: nobody",
                timer("collector", "log: mine"),
                "the route id collector is taken by",
                "- from:\n    uri: timer:x\n    steps:\n      - log: x\n",
                "a route has no id",
                timer("%s", "log: '{{no.such.property}}'"),
                "no.such.property"));
        List<String> ids = IntStream.range(0, rejections.size())
                .mapToObj(i -> "sound-" + i)
                .toList();
        for (String id : ids) {
            Files.writeString(routes.resolve(id + ".yaml"), timer(id, "log: " + id + "-one"));
        }
        ids.forEach(id -> awaitLog(id + "-one"));
        List<String> contents = List.copyOf(rejections.keySet());
        for (String id : ids) {
            Files.writeString(
                    routes.resolve(id + ".yaml"), contents.get(ids.indexOf(id)).replace("%s", id));
        }
        rejections.values().forEach(LiveRoutesIT::awaitLog);
        assertThat(runningRoutes()).containsEntry("collector", "started");
        for (String id : ids) {
            Path file = routes.resolve(id + ".yaml");
            String rejection = rejections.get(contents.get(ids.indexOf(id)));
            assertThat(runningRoutes()).containsEntry(id, "started");
            assertThat(station.log()
                            .lines()
                            .filter(line -> line.contains("Rejected,"))
                            .filter(line -> line.contains(id + ".yaml")))
                    .singleElement()
                    .asString()
                    .contains("keep running", file.toString(), rejection);
            Files.writeString(file, timer(id, "log: " + id + "-two"));
        }
        ids.forEach(id -> awaitLog(id + "-two"));
    }

    @Test
    void anUnreadableFileOrDirectoryIsReportedOnce() throws IOException {
        Path file = Files.write(routes.resolve("unread.yaml"), new byte[] {'#', '\n', (byte) 0xe4});
        awaitLog(file + ", line 2: not encoded in UTF-8");
        // An edit is noticed by further polls of the directory
        Files.writeString(routes.resolve("edited.yaml"), timer("edited", "log: edit"));
        awaitLog("edit");
        assertThat(linesWith("unread.yaml")).isEqualTo(1);
        Path moved = folder.resolve("moved");
        Files.move(routes, moved);
        awaitLog("cannot read the routes directory " + routes + ": no such file or directory");
        Files.move(moved, routes);
        Files.writeString(file, timer("read", "log: read-at-last"));
        awaitLog("read-at-last");
        assertThat(linesWith("routes directory")).isEqualTo(1);
    }

    private static long linesWith(String text) {
        return station.log().lines().filter(line -> line.contains(text)).count();
    }

    @Test
    void aRouteThatCannotBeStartedGivesWayToTheOneBeforeIt() throws IOException {
        Path file = routes.resolve("listener.yaml");
        Files.writeString(file, timer("listener", "log: before"));
        awaitLog("before");
        Files.writeString(file, """
            - route:
                id: listener
                from:
                  uri: netty:tcp://127.0.0.1:%d
                  steps:
                    - log: never
            """.formatted(station.bmpPort()));
        awaitLog("listener.yaml: Address already in use");
        await().until(() -> "started".equals(runningRoutes().get("listener")));
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
    }

    @Test
    void aPackagedRouteIsReplacedAndComesBack() throws IOException {
        Path file = routes.resolve("collector.yaml");
        Files.writeString(file, """
            - route:
                id: collector
                from:
                  uri: netty:tcp://{{silkroute.bmp-host}}:{{silkroute.bmp-port}}
                  parameters: {sync: false}
                  steps:
                    - log: taken
            """);
        awaitLog("Loaded " + file + ": routes collector");
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
        Files.delete(file);
        awaitLog("Loaded packaged routes/collector.camel.yaml: routes collector");
        assertThat(station.get("/q/health/ready").statusCode()).isEqualTo(200);
        assertAcceptsMessages();
    }

    @Test
    void aListenerKeepsRunningWhenAnotherFileUsesItsComponent() throws IOException {
        try (Socket before = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
            send(before);
            Path file = routes.resolve("sender.yaml");
            Files.writeString(file, timer("sender", "to: netty:tcp://127.0.0.1:9?lazyStartProducer=true&sync=false"));
            awaitLog("Loaded " + file + ": routes sender");
            Files.delete(file);
            awaitLog("Removed " + file + ": routes stopped: sender");
            send(before);
            assertAcceptsMessages();
        }
    }

    /** Asserts that the messages of a new session are passed on to Kafka. */
    private static void assertAcceptsMessages() throws IOException {
        try (Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
            send(router);
        }
    }

    private static void send(Socket router) throws IOException {
        double before = decoded();
        router.getOutputStream().write(TestMessages.initiation("edge"));
        await().until(() -> decoded() == before + 1);
    }

    private static double decoded() {
        return station.meter("bmp_messages_total", "type=\"initiation\"").orElse(0);
    }
}
