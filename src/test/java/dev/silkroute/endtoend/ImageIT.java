package dev.silkroute.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.Programs;
import dev.silkroute.fixture.SeparateBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Builds the images as docs/how-to/kubernetes.md shows, copies one into a registry, and runs that with the embedded
 * servers under {@code runc} as {@code k8s/overlays/dev} does: the same command, user, settings and memory limit, a
 * read-only root file system, no capabilities and only a loopback network. Needs root, and the Debian packages {@code
 * umoci}, {@code skopeo}, {@code docker-registry} and {@code runc}.
 */
class ImageIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final String USER = "10001";
    private static final Pattern LISTENING = Pattern.compile("listening on (127\\.0\\.0\\.1:\\d+)");
    /** The time that the manifest gives the container to end, less that of its preStop hook. */
    private static final long GRACE_SECONDS = 40;

    @TempDir
    private static Path folder;

    private static Path bundle;
    private static List<String> command;

    private final String id = "silkroute-" + ProcessHandle.current().pid();
    private final Path output = folder.resolve("output.log");

    @BeforeAll
    static void build() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "runc needs root");
        Programs.assumeOnPath("umoci", "skopeo", "docker-registry", "runc", "apt-get");
        buildAsThePageShows();
        Path archive = folder.resolve("silkroute-embedded.tar");
        Path layout = Files.createDirectory(folder.resolve("layout"));
        run("tar", "-xf", archive.toString(), "-C", layout.toString());
        bundle = folder.resolve("bundle");
        run("umoci", "unpack", "--image", layout + ":silkroute", bundle.toString());
        Path data = Files.createDirectory(folder.resolve("data"));
        run("chown", USER + ":" + USER, data.toString());
        ObjectNode config =
                (ObjectNode) JSON.readTree(bundle.resolve("config.json").toFile());
        configure(config, container(), data);
        Files.writeString(bundle.resolve("config.json"), config.toPrettyString());
    }

    /** The page has another registry. */
    private static void buildAsThePageShows() throws Exception {
        Files.createSymbolicLink(folder.resolve("k8s"), Path.of("k8s").toAbsolutePath());
        Path configuration =
                Files.writeString(folder.resolve("registry.yml"), """
            version: 0.1
            storage: {filesystem: {rootdirectory: %s}}
            http: {addr: "127.0.0.1:0"}
            """.formatted(folder.resolve("registry")));
        Path log = folder.resolve("registry.log");
        Process registry = new ProcessBuilder("docker-registry", "serve", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            await().until(() -> !registry.isAlive()
                    || LISTENING.matcher(Files.readString(log)).find());
            Matcher listening = LISTENING.matcher(Files.readString(log));
            assertThat(listening.find()).as(Files.readString(log)).isTrue();
            String address = listening.group(1);
            Path settings = Files.createDirectories(folder.resolve(".config/containers"));
            Files.writeString(
                    settings.resolve("registries.conf"),
                    "[[registry]]\nlocation = \"" + address + "\"\ninsecure = true\n");
            PageShell shell = new PageShell(folder)
                    .with("HOME", folder.toString())
                    .with("JAVA_HOME", System.getProperty("java.home"));
            SeparateBlock.BUILD_IMAGE.assertPrints(
                    shell.run(SeparateBlock.BUILD_IMAGE.block().text().replace("registry.example.net", address)));
            String pulled = shell.run("skopeo inspect --config docker://" + address + "/silkroute:0.1.0");
            assertThat(JSON.readTree(pulled).at("/config/User").asText()).isEqualTo(USER + ":" + USER);
        } finally {
            registry.destroyForcibly().onExit().join();
        }
    }

    @AfterAll
    static void deleteBundle() throws Exception {
        if (bundle != null) {
            run("rm", "-rf", bundle.toString(), folder.resolve("data").toString()); // of other users
        }
    }

    /** Returns the container of the pod in the manifest. */
    private static Map<?, ?> container() throws IOException {
        Map<?, ?> workload = (Map<?, ?>) yaml(Path.of("k8s/overlays/dev/station.yaml"));
        Map<?, ?> pod = (Map<?, ?>) at(at(workload, "spec"), "template");
        return (Map<?, ?>) ((List<?>) at(at(pod, "spec"), "containers")).getFirst();
    }

    private static Object at(Object map, String key) {
        return ((Map<?, ?>) map).get(key);
    }

    private static Object yaml(Path file) throws IOException {
        return new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    private static void configure(ObjectNode config, Map<?, ?> container, Path data) throws IOException {
        ObjectNode process = (ObjectNode) config.path("process");
        assertThat(process.path("user").path("uid").asText())
                .as("the user of the image")
                .isEqualTo(USER);
        process.put("terminal", false).put("noNewPrivileges", true).remove("capabilities");
        command = ((List<?>) container.get("command"))
                .stream().map(Object::toString).toList();
        List<String> arguments = new ArrayList<>(command);
        ((List<?>) container.get("args")).forEach(argument -> arguments.add(argument.toString()));
        process.set("args", JSON.valueToTree(arguments));
        ArrayNode variables = (ArrayNode) process.path("env");
        ((Map<?, ?>) at(yaml(Path.of("k8s/base/settings.yaml")), "data"))
                .forEach((name, value) -> variables.add(name + "=" + value));
        ((List<?>) container.get("env")).forEach(variable -> {
            if (at(variable, "value") != null) {
                variables.add(at(variable, "name") + "=" + at(variable, "value"));
            }
        });
        variables.add("SILKROUTE_COLLECTOR=silkroute-0");
        ((ObjectNode) config.path("root")).put("readonly", true);
        ArrayNode mounts = (ArrayNode) config.path("mounts");
        mount(mounts, "/data", data, "rw");
        mount(mounts, "/etc/silkroute/routes", Files.createDirectory(folder.resolve("routes")), "ro");
        mount(mounts, "/captures", CAPTURES.toAbsolutePath(), "ro");
        mounts.addObject().put("destination", "/tmp").put("type", "tmpfs").put("source", "tmpfs");
        ((ObjectNode) config.path("linux"))
                .put(
                        "cgroupsPath",
                        "/silkroute-image-" + ProcessHandle.current().pid())
                .withObject("/resources/memory")
                .put("limit", memoryLimit(container));
    }

    private static void mount(ArrayNode mounts, String destination, Path source, String mode) {
        ObjectNode mount = mounts.addObject().put("destination", destination).put("type", "bind");
        mount.put("source", source.toString()).putArray("options").add("bind").add(mode);
    }

    /** Returns the limit in bytes; the manifest has it in GiB. */
    private static long memoryLimit(Map<?, ?> container) {
        String limit = at(at(container.get("resources"), "limits"), "memory").toString();
        assertThat(limit).endsWith("Gi");
        return Long.parseLong(limit.substring(0, limit.length() - 2)) << 30;
    }

    /** Runs a command that must succeed, and returns what it prints. */
    private static String run(String... arguments) throws Exception {
        Path printed = Files.createTempFile(folder, "command", ".log");
        ProcessBuilder builder =
                new ProcessBuilder(arguments).redirectErrorStream(true).redirectOutput(printed.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .as(String.join(" ", arguments))
                .isTrue();
        String text = Files.readString(printed);
        assertThat(process.exitValue())
                .as(String.join(" ", arguments) + "\n" + text)
                .isZero();
        return text;
    }

    private static List<String> runc(String... arguments) {
        return Stream.concat(Stream.of("runc", "--root", folder.resolve("runc").toString()), Arrays.stream(arguments))
                .toList();
    }

    /** Runs a command of the station in the container, without a shell, as {@code kubectl exec} does. */
    private String execute(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(runc("exec", id));
        all.addAll(command);
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    private Process start() throws IOException {
        Process process = new ProcessBuilder(runc("run", "--bundle", bundle.toString(), id))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()))
                .start();
        await("the station, see " + output).atMost(LIMIT).until(() -> {
            assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
            return Files.readString(output).contains("Silkroute is ready");
        });
        return process;
    }

    private void stop(Process process) throws Exception {
        process.destroy(); // runc passes SIGTERM on
        boolean ended = process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            run(runc("kill", id, "KILL").toArray(String[]::new));
        }
        String text = Files.readString(output);
        assertThat(ended).as("ends in time: " + text).isTrue();
        assertThat(text).as("a regular end").doesNotContain("did not stop within");
    }

    @Test
    void quickStartRunsInTheImageAndItsDataOutlivesTheContainer() throws Exception {
        MarkdownPage readme = new MarkdownPage(Path.of("README.md"));
        MarkdownPage.Block lookup = readme.command("./silkroute lookup");
        Process container = start();
        try {
            String replayed = execute("replay", "/captures/gobgp-all.bmp.gz");
            assertThat(replayed).contains("Replayed 1 session: 4,611 messages, 631,076 bytes");
            await().atMost(LIMIT).untilAsserted(() -> readme.assertPrints(lookup, execute("lookup", "100.1.2.3")));
            execute("load", "--peers", "2", "--prefixes", "20000");
            execute("status"); // fails if there are problems
            assertThatProcessesAreConfined();
        } finally {
            stop(container);
        }
        Process again = start();
        try {
            await().atMost(LIMIT).untilAsserted(() -> readme.assertPrints(lookup, execute("lookup", "100.1.2.3")));
        } finally {
            stop(again);
        }
    }

    private void assertThatProcessesAreConfined() throws Exception {
        String[] processes =
                JSON.readValue(run(runc("ps", "--format", "json", id).toArray(String[]::new)), String[].class);
        assertThat(processes).as("the station, Kafka and PostgreSQL").hasSizeGreaterThan(3);
        for (String process : processes) {
            Path proc = Path.of("/proc", process);
            assertThat(Files.readAllLines(proc.resolve("status")))
                    .contains("NoNewPrivs:\t1", "CapEff:\t0000000000000000")
                    .anyMatch(line -> line.startsWith("Uid:\t" + USER + "\t" + USER));
            assertThat(Files.readAllLines(proc.resolve("mounts")))
                    .as("the root file system")
                    .anyMatch(line -> line.split(" ")[1].equals("/") && line.split(" ")[3].startsWith("ro"));
        }
        String statistics = run(runc("events", "--stats", id).toArray(String[]::new));
        assertThat(JSON.readTree(statistics)
                        .path("data")
                        .path("memory")
                        .path("usage")
                        .path("limit")
                        .asLong())
                .isEqualTo(memoryLimit(container()));
    }
}
