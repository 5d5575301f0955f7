package dev.silkroute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.cli.Cli;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.Role;
import dev.silkroute.app.config.Roles;
import dev.silkroute.fixture.KubernetesModel;
import dev.silkroute.fixture.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Compares the Kubernetes manifests with the application: settings, ports, probes, paths, roles and metrics. */
class ManifestsTest {
    private static final Path MANIFESTS = Path.of("k8s");
    private static final Set<String> WORKLOADS = Set.of("Deployment", "StatefulSet");
    private static final Pattern VARIABLE = Pattern.compile("SILKROUTE_[A-Z_]+[A-Z]");
    private static final Pattern INLINE_COMMAND = Pattern.compile("`(kubectl [^`]*)`");
    private static final Pattern PROPERTY = Pattern.compile("silkroute\\.[a-z0-9-]+(?:\\.[a-z0-9-]+)*");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Options of run whose default suits a container, so that no manifest sets them. */
    private static final Set<String> UNSET = Set.of("silkroute.bmp-host", "silkroute.verbose");

    /** All resources, with the folder of their file. */
    private static final Map<Map<String, Object>, Path> RESOURCES = new HashMap<>();

    @BeforeAll
    static void load() throws IOException {
        try (Stream<Path> files = Files.walk(MANIFESTS)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                Load load = new Load(
                        LoadSettings.builder().setLabel(file.toString()).build());
                for (Object document : load.loadAllFromString(Files.readString(file))) {
                    RESOURCES.put(map(document), file.getParent());
                }
            }
        }
    }

    @Test
    void fieldsExistAndHaveTheirTypes() {
        List<JsonNode> resources = RESOURCES.keySet().stream()
                .map(JSON::<JsonNode>valueToTree)
                .filter(KubernetesModel::contains)
                .toList();
        assertThat(resources).hasSizeGreaterThan(20);
        assertThat(resources).extracting(KubernetesModel::fault).containsOnlyNulls();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{apiVersion: v1, kind: Pod, spec: {containers: [{name: a, readinesProbe: {}}]}}|Unrecognized field \"readinesProbe\"",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {PORT: 8080}}|ConfigMap b: Cannot coerce Integer value (8080)",
                "{apiVersion: apps/v1, kind: Deployment, spec: {replicas: '3'}}|Cannot coerce String value (\"3\")",
                "{apiVersion: apps/v1, kind: Deploiment}|unknown kind Deploiment"
            })
    void fieldsThatDoNotExistAndOtherTypesAreFound(String manifest, String fault) {
        assertThat(KubernetesModel.fault(
                        JSON.valueToTree(new Load(LoadSettings.builder().build()).loadFromString(manifest))))
                .contains(fault);
    }

    @Test
    void everyVariableIsASetting() throws IOException {
        Set<String> known = variables();
        try (Stream<Path> files = Files.walk(MANIFESTS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                List<String> used = VARIABLE.matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group())
                        .toList();
                assertThat(known).as(file.toString()).containsAll(used);
            }
        }
    }

    @Test
    void everyOptionOfTheStationIsSetOrSuitsAContainer() {
        Set<String> set = new HashSet<>(settings().keySet());
        workloads().forEach(workload -> list(container(workload), "env").forEach(env -> set.add(text(env, "name"))));
        Set<String> options = Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()))
                .getSubcommands()
                .get("run")
                .getCommandSpec()
                .options()
                .stream()
                .map(option -> Configuration.key(option.longestName()))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(options).containsAll(UNSET);
        options.removeAll(UNSET);
        assertThat(options).allSatisfy(option -> assertThat(set).contains(Configuration.variable(option)));
    }

    @Test
    void portsAreThoseOfTheSettings() {
        Map<String, Integer> ports = Map.of(
                "bmp", Integer.valueOf(settings().get("SILKROUTE_BMP_PORT")),
                "http", Integer.valueOf(settings().get("SILKROUTE_HTTP_PORT")),
                "management", Integer.valueOf(settings().get("SILKROUTE_MANAGEMENT_PORT")));
        for (Map<String, Object> workload : workloads()) {
            Map<String, Integer> declared = ports(workload);
            assertThat(ports).containsAllEntriesOf(declared);
            Set<Role> roles = roles(workload);
            assertThat(declared.containsKey("bmp")).as("bmp").isEqualTo(roles.contains(Role.COLLECTOR));
            assertThat(declared).containsKey("management");
            if (roles.contains(Role.API)) {
                assertThat(declared).containsKey("http");
            }
        }
    }

    @Test
    void servicesAndPoliciesReferToPortsOfTheirPods() {
        for (Map.Entry<Map<String, Object>, Path> resource : RESOURCES.entrySet()) {
            Map<String, Object> spec = map(resource.getKey().getOrDefault("spec", Map.of()));
            if (kind(resource.getKey()).equals("Service")) {
                Map<String, Integer> ports = selected(resource.getValue(), map(spec.get("selector")));
                for (Map<String, Object> port : list(spec, "ports")) {
                    assertThat(ports).as(name(resource.getKey())).containsKey(text(port, "targetPort"));
                }
            } else if (kind(resource.getKey()).equals("NetworkPolicy") && spec.containsKey("ingress")) {
                assertIngress(resource.getKey(), resource.getValue());
            }
        }
    }

    private static void assertIngress(Map<String, Object> policy, Path folder) {
        Map<String, Object> labels =
                map(map(map(policy.get("spec")).get("podSelector")).getOrDefault("matchLabels", Map.of()));
        if (!"silkroute".equals(labels.get("app.kubernetes.io/name"))) {
            return;
        }
        Map<String, Integer> ports = selected(folder, labels);
        for (Map<String, Object> rule : list(map(policy.get("spec")), "ingress")) {
            for (Map<String, Object> port : list(rule, "ports")) {
                assertThat(ports).as(name(policy)).containsKey(text(port, "port"));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"started", "live", "ready"})
    void probesAskTheManagementPort(String check) {
        String probe = Map.of("started", "startupProbe", "live", "livenessProbe", "ready", "readinessProbe")
                .get(check);
        assertThat(workloads()).isNotEmpty().allSatisfy(workload -> {
            Map<String, Object> request =
                    map(map(container(workload).get(probe)).get("httpGet"));
            assertThat(request).containsEntry("path", "/q/health/" + check).containsEntry("port", "management");
        });
    }

    @Test
    void directoriesAreMountedAndWritableOnesAreVolumes() {
        for (Map<String, Object> workload : workloads()) {
            Map<String, Boolean> mounts = new HashMap<>();
            list(container(workload), "volumeMounts")
                    .forEach(mount -> mounts.put(text(mount, "mountPath"), Boolean.TRUE.equals(mount.get("readOnly"))));
            assertThat(mounts)
                    .containsEntry(settings().get("SILKROUTE_DATA_DIR"), false)
                    .containsEntry(settings().get("SILKROUTE_ROUTES_DIR"), true)
                    .containsEntry("/tmp", false);
        }
    }

    @Test
    void workloadsOfProductionHaveEachRoleOnce() {
        List<Role> roles = new ArrayList<>();
        RESOURCES.forEach((resource, folder) -> {
            if (WORKLOADS.contains(kind(resource)) && folder.endsWith("prod")) {
                roles.addAll(roles(resource));
            }
        });
        assertThat(roles).containsExactlyInAnyOrder(Role.values());
    }

    @Test
    void aStopHasTimeToDrain() {
        assertThat(workloads()).allSatisfy(workload -> {
            Map<String, Object> pod = pod(workload);
            Map<String, Object> sleep =
                    map(map(map(container(workload).get("lifecycle")).get("preStop"))
                            .get("sleep"));
            int grace = (Integer) pod.get("terminationGracePeriodSeconds");
            assertThat(grace - (Integer) sleep.get("seconds")).isGreaterThanOrEqualTo(30);
        });
    }

    @Test
    void theImageExposesThePorts() throws IOException {
        String exposed = Files.readAllLines(MANIFESTS.resolve("image/Containerfile")).stream()
                .filter(line -> line.startsWith("EXPOSE "))
                .findFirst()
                .orElseThrow();
        assertThat(exposed.split(" "))
                .contains(
                        settings().get("SILKROUTE_BMP_PORT"),
                        settings().get("SILKROUTE_HTTP_PORT"),
                        settings().get("SILKROUTE_MANAGEMENT_PORT"));
    }

    @Test
    void everyComponentIsDescribed() throws IOException {
        String guide = Files.readString(Path.of("docs/how-to/kubernetes.md"));
        String overlay = Files.readString(MANIFESTS.resolve("overlays/prod/kustomization.yaml"));
        try (Stream<Path> components = Files.list(MANIFESTS.resolve("components"))) {
            assertThat(components).isNotEmpty().allSatisfy(component -> {
                assertThat(guide).contains("`" + component.getFileName() + "`");
                assertThat(overlay).contains("../../components/" + component.getFileName());
            });
        }
    }

    /** {@code KubernetesGuideIT} runs the other commands; this one needs a pod that runs. */
    @Test
    void portForwardingRefersToAPodAndItsManagementPort() {
        List<String> commands = new MarkdownPage(Path.of("docs/how-to/kubernetes.md"))
                .prose().stream()
                        .flatMap(line -> INLINE_COMMAND.matcher(line).results())
                        .map(command -> command.group(1))
                        .toList();
        assertThat(commands).singleElement().satisfies(command -> {
            List<String> words = List.of(command.split(" "));
            assertThat(words.subList(0, 2)).containsExactly("kubectl", "-n");
            assertThat(names("Namespace")).contains(words.get(2));
            assertThat(words.get(3)).isEqualTo("port-forward");
            assertThat(names("StatefulSet")).contains(words.get(4).replaceAll("pod/|-0$", ""));
            assertThat(words.getLast()).isEqualTo(settings().get("SILKROUTE_MANAGEMENT_PORT"));
        });
    }

    private static Set<String> names(String kind) {
        return RESOURCES.keySet().stream()
                .filter(resource -> kind(resource).equals(kind))
                .map(ManifestsTest::name)
                .collect(Collectors.toSet());
    }

    /** Returns the environment variables of all options of run and of all properties in the configuration reference. */
    private static Set<String> variables() throws IOException {
        Set<String> variables = new HashSet<>();
        Cli.commandLine(Configuration.of(Map.of(), Map.of(), Map.of()))
                .getSubcommands()
                .get("run")
                .getCommandSpec()
                .options()
                .forEach(option -> variables.add(Configuration.variable(
                        "silkroute." + option.longestName().substring(2))));
        for (String page : List.of("docs/reference/configuration.md", "docs/how-to/routers.md")) {
            PROPERTY.matcher(Files.readString(Path.of(page)))
                    .results()
                    .forEach(property -> variables.add(Configuration.variable(property.group())));
        }
        return variables;
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        RESOURCES.keySet().stream()
                .filter(resource ->
                        kind(resource).equals("ConfigMap") && name(resource).equals("silkroute-settings"))
                .forEach(resource ->
                        map(resource.get("data")).forEach((key, value) -> settings.put(key, (String) value)));
        assertThat(settings).isNotEmpty();
        return settings;
    }

    private static List<Map<String, Object>> workloads() {
        return RESOURCES.keySet().stream()
                .filter(resource -> WORKLOADS.contains(kind(resource)))
                .toList();
    }

    private static Set<Role> roles(Map<String, Object> workload) {
        return list(container(workload), "env").stream()
                .filter(env -> text(env, "name").equals("SILKROUTE_ROLES"))
                .map(env -> Roles.of(text(env, "value")).all())
                .findFirst()
                .orElseThrow();
    }

    /** Returns the ports of the workloads in a folder, or anywhere for the base, whose pods have these labels. */
    private static Map<String, Integer> selected(Path folder, Map<String, Object> labels) {
        Map<String, Integer> ports = new HashMap<>();
        RESOURCES.forEach((resource, at) -> {
            if ((folder.endsWith("base") || at.equals(folder)) && WORKLOADS.contains(kind(resource))) {
                Map<String, Object> own =
                        map(map(map(map(resource.get("spec")).get("template")).get("metadata"))
                                .get("labels"));
                if (own.entrySet().containsAll(labels.entrySet())) {
                    ports.putAll(ports(resource));
                }
            }
        });
        return ports;
    }

    private static Map<String, Integer> ports(Map<String, Object> workload) {
        Map<String, Integer> ports = new HashMap<>();
        list(container(workload), "ports")
                .forEach(port -> ports.put(text(port, "name"), (Integer) port.get("containerPort")));
        return ports;
    }

    private static Map<String, Object> pod(Map<String, Object> workload) {
        return map(map(map(workload.get("spec")).get("template")).get("spec"));
    }

    private static Map<String, Object> container(Map<String, Object> workload) {
        return list(pod(workload), "containers").getFirst();
    }

    private static String kind(Map<String, Object> resource) {
        return text(resource, "kind");
    }

    private static String name(Map<String, Object> resource) {
        return text(map(resource.get("metadata")), "name");
    }

    private static String text(Map<String, Object> map, String key) {
        return String.valueOf(map.get(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> map, String key) {
        return (List<Map<String, Object>>) map.getOrDefault(key, List.of());
    }
}
