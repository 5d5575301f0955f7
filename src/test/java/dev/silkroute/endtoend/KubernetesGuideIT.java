package dev.silkroute.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.fixture.KubernetesApi;
import dev.silkroute.fixture.KubernetesModel;
import dev.silkroute.fixture.MarkdownPage;
import dev.silkroute.fixture.MarkdownPage.Block;
import dev.silkroute.fixture.PageShell;
import dev.silkroute.fixture.Programs;
import dev.silkroute.fixture.SeparateBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Deploys with kubectl as docs/how-to/kubernetes.md shows, to {@link KubernetesApi}. It is skipped without kubectl 1.27
 * or newer, which Debian 12 does not have. {@code ManifestsTest} checks the manifests themselves, {@link
 * ImageIT} builds and runs the image.
 */
class KubernetesGuideIT {
    private static final MarkdownPage PAGE = new MarkdownPage(Path.of("docs/how-to/kubernetes.md"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String IMAGE = "registry.example.net/silkroute-embedded:0.1.0";

    /** Contains links to the repository's {@code k8s} and to the launcher. */
    @TempDir
    private Path box;

    private PageShell shell;

    @BeforeEach
    void linkManifests() throws IOException {
        Files.createSymbolicLink(box.resolve("k8s"), Path.of("k8s").toAbsolutePath());
        shell = new PageShell(box);
    }

    @Test
    void kubectlDeploysWhatThePageShows() throws Exception {
        assumeKubectl();
        Block kustomization = PAGE.blocks().stream()
                .filter(block ->
                        block.language().equals("yaml") && block.before().contains("`station/kustomization.yaml`"))
                .findFirst()
                .orElseThrow();
        Files.createDirectory(box.resolve("station"));
        Files.writeString(box.resolve("station/kustomization.yaml"), kustomization.text());
        try (KubernetesApi api = KubernetesApi.start()) {
            shell.with(
                    "KUBECONFIG",
                    api.writeConfiguration(box.resolve("kubeconfig")).toString());
            assertThat(shell.run("""
                kubectl create -f - 2>&1 <<'END' || true
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: x, namespace: default}
                dta: {}
                END
                """)).contains("Unrecognized field \"dta\"");
            run(SeparateBlock.DEPLOY);
            JsonNode pod = api.resource("/api/v1/namespaces/silkroute/pods/silkroute-0");
            assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo(IMAGE);

            api.createNamespace("ingress");
            api.createNamespace("monitoring");
            run(SeparateBlock.LABEL_NAMESPACES);
            assertThat(labels(api, "ingress")).isEqualTo(admittedBy(api, "station"));
            assertThat(labels(api, "monitoring")).isEqualTo(admittedBy(api, "metrics"));

            run(SeparateBlock.CREATE_TOKEN);
            String token = api.resource("/api/v1/namespaces/silkroute/secrets/silkroute-http-token")
                    .at("/data/token")
                    .asText();
            assertThat(new String(Base64.getDecoder().decode(token), UTF_8)).matches("[0-9a-f]{48}");
            assertThat(shell.run(kustomize("overlays/dev", "token")))
                    .contains("secretName: silkroute-http-token", "value: /etc/silkroute/http/token");
        }
    }

    private void run(SeparateBlock block) throws Exception {
        block.assertPrints(shell.run(block.block().text()));
    }

    private static JsonNode labels(KubernetesApi api, String namespace) {
        return api.resource("/api/v1/namespaces/" + namespace).at("/metadata/labels");
    }

    /** Returns the labels of the namespaces whose pods a network policy admits. */
    private static JsonNode admittedBy(KubernetesApi api, String policy) {
        return api.resource("/apis/networking.k8s.io/v1/namespaces/silkroute/networkpolicies/" + policy)
                .findValue("namespaceSelector")
                .path("matchLabels");
    }

    /** Each component changes each overlay that the page combines it with. */
    @Test
    void kubectlBuildsTheOverlaysWithEachComponent() throws Exception {
        assumeKubectl();
        List<String> components = new ArrayList<>();
        try (Stream<Path> folders = Files.list(Path.of("k8s/components"))) {
            folders.forEach(folder -> components.add(folder.getFileName().toString()));
        }
        String plain = shell.run("kubectl kustomize k8s/overlays/prod");
        assertThat(plain).contains("name: collector", "name: writer", "name: rib");
        assertThat(components).hasSizeGreaterThan(5);
        for (String component : components) {
            assertThat(shell.run(kustomize("overlays/prod", component)))
                    .as(component)
                    .isNotEqualTo(plain);
        }
        String all = shell.run(kustomize("overlays/prod", components.toArray(String[]::new)));
        assertThat(all).contains("kind: ScaledObject");
        assertValid(all);
        assertThat(shell.run("kubectl kustomize k8s/engines")).contains("kind: Kafka", "kind: Cluster");
        assertThat(shell.run("kubectl kustomize k8s/overlays/dev")).contains("kind: StatefulSet");
    }

    /** Asserts that Kubernetes's own resources have fields that exist, after all patches. */
    private static void assertValid(String manifests) {
        List<JsonNode> resources = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(manifests)
                .forEach(document -> resources.add(JSON.valueToTree(document)));
        assertThat(resources)
                .filteredOn(KubernetesModel::contains)
                .hasSizeGreaterThan(15)
                .extracting(KubernetesModel::fault)
                .containsOnlyNulls();
    }

    /** Returns a command that renders an overlay with components. */
    private static String kustomize(String overlay, String... components) {
        String folders = Stream.of(components)
                .map(component -> "../k8s/components/" + component)
                .collect(Collectors.joining(", ", "[", "]"));
        return "mkdir -p rendered && cat > rendered/kustomization.yaml <<'END'\n"
                + "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nnamespace: silkroute\nresources: [../k8s/"
                + overlay + "]\ncomponents: " + folders + "\nEND\nkubectl kustomize rendered";
    }

    private void assumeKubectl() throws Exception {
        Programs.assumeOnPath("kubectl", "openssl");
        String version = shell.run("kubectl version --client");
        Assumptions.assumeTrue(version.contains("Kustomize Version: v5"), "kubectl is 1.27 or newer: " + version);
    }
}
