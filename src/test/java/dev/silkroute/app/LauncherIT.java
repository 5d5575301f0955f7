package dev.silkroute.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with substitutes of JDKs and Mavens, scripts that record how they are called. */
class LauncherIT {
    private static final String TOOLS = "sh,dirname,readlink,head,find,grep,sed,mkdir,cat,touch,flock";

    @TempDir
    Path folder;

    private Path home;
    private Path jar;
    private Path path;
    private final Map<String, String> environment = new HashMap<>();

    private record Outcome(int exitCode, String stdout, String stderr) {}

    @BeforeEach
    void makeInstallation() throws IOException {
        home = Files.createDirectories(folder.resolve("silk route"));
        Files.copy(Path.of("silkroute"), home.resolve("silkroute"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        Files.createDirectories(home.resolve("src/main"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        jar = home.resolve("target/quarkus-app/quarkus-run.jar");
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
        path = Files.createDirectories(folder.resolve("path"));
        for (String tool : TOOLS.split(",")) {
            for (String place : List.of("/usr/bin/", "/bin/")) {
                if (Files.exists(Path.of(place + tool)) && !Files.exists(path.resolve(tool))) {
                    Files.createSymbolicLink(path.resolve(tool), Path.of(place + tool));
                }
            }
        }
        environment.put("SILKROUTE_JDK_FOLDERS", folder.resolve("jvm").toString());
        environment.put("SILKROUTE_HUGE_PAGES", folder.resolve("huge-pages").toString());
    }

    private Path jdk(String name, String version) throws IOException {
        Path jdk = Files.createDirectories(folder.resolve(name));
        script(jdk.resolve("bin/java"), "echo \"" + version + ": $*\"");
        script(jdk.resolve("bin/javac"), "exit 0");
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"Paper\"\nJAVA_VERSION=\"" + version + "\"\n");
        return jdk;
    }

    private void maven(String version, String onBuild) throws IOException {
        script(
                path.resolve("mvn"),
                "if [ \"$1\" = -v ]; then echo 'Apache Maven " + version + " (x)'; else echo \"mvn $*\"; " + onBuild
                        + "; fi");
    }

    private static void script(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Outcome silkroute(String... arguments) throws IOException, InterruptedException {
        return run(home.resolve("silkroute"), arguments);
    }

    private Outcome run(Path launcher, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Outcome(exitCode, Files.readString(out), Files.readString(err));
    }

    @Test
    void usesJavaHomeIfItHasTheRequiredVersion() throws Exception {
        environment.put("JAVA_HOME", jdk("chosen", "25.0.3").toString());
        jdk("jvm/other", "25.0.1");
        assertThat(silkroute("status", "a b").stdout())
                .startsWith("25.0.3: ")
                .endsWith("-jar " + jar + " status a b\n");
    }

    @Test
    void usesTheStartUpCacheOfThisBuildInThisPlace() throws Exception {
        jdk("jvm/25", "25");
        Path app = jar.getParent();
        Path options = Files.writeString(app.resolve("station.args"), "# " + app + "\n-cp x\n");

        Files.setLastModifiedTime(options, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(silkroute("status").stdout())
                .contains("-XX:AOTCache=" + app + "/command.aot ")
                .endsWith("@" + options + " status\n");
        assertThat(silkroute("load").stdout()).contains("-XX:AOTCache=" + app + "/station.aot ");

        Files.setLastModifiedTime(options, FileTime.from(Instant.now()));
        assertThat(silkroute("status").stdout()).as("an older build's").endsWith("-jar " + jar + " status\n");

        Files.writeString(options, "# " + app + "/elsewhere\n-cp x\n");
        Files.setLastModifiedTime(options, FileTime.from(Instant.now().plusSeconds(120)));
        assertThat(silkroute("status").stdout()).as("a moved build's").endsWith("-jar " + jar + " status\n");
    }

    @Test
    void searchesFurtherIfJavaHomeAndThePathAreOlder() throws Exception {
        environment.put("JAVA_HOME", jdk("old", "21.0.2").toString());
        Path older = jdk("older", "17.0.15");
        Files.createSymbolicLink(path.resolve("java"), older.resolve("bin/java"));
        jdk("jvm/java-26", "26");
        jdk("jvm/java-2", "2.5");
        jdk("jvm/temurin 25", "25");
        assertThat(silkroute("run").stdout()).startsWith("25: ");
    }

    @Test
    void findsTheJdkOfTheJavaOnThePathThroughItsLinks() throws Exception {
        Path jdk = jdk("somewhere/else", "25.0.2");
        Path alternatives = Files.createSymbolicLink(folder.resolve("alternatives"), jdk.resolve("bin/java"));
        Files.createSymbolicLink(path.resolve("java"), alternatives);
        assertThat(silkroute("run").stdout()).startsWith("25.0.2: ");
    }

    @Test
    void aMissingJdkIsReported() throws Exception {
        jdk("jvm/java-17", "17.0.1");
        Outcome outcome = silkroute("run");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.stderr().lines()).hasSize(1);
        assertThat(outcome.stderr()).startsWith("silkroute: no JDK 25 found: install one");
        assertThat(outcome.stdout()).isEmpty();
    }

    @Test
    void setsTheMemoryOfTheStationAndAddsOptions() throws Exception {
        jdk("jvm/25", "25");
        environment.put("SILKROUTE_JAVA_OPTS", "-Xmx3g -Da=b");
        assertThat(silkroute("run", "--bmp-port", "0").stdout())
                .isEqualTo("25: -Xmx1g -XX:G1HeapRegionSize=2m -XX:InitiatingHeapOccupancyPercent=70"
                        + " -XX:+ExitOnOutOfMemoryError -XX:Tier4InvocationThreshold=100000 -XX:Tier4MinInvocationThreshold=12000"
                        + " -XX:Tier4CompileThreshold=300000 -XX:Tier4BackEdgeThreshold=800000"
                        + " -XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining"
                        + " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Xmx3g -Da=b"
                        + " -jar " + jar
                        + " run --bmp-port 0\n");
    }

    /** The image has no start-up caches, and so no options for them. */
    @Test
    void theImageHasTheOptionsOfTheStation() throws Exception {
        jdk("jvm/25", "25");
        String[] command = silkroute("run").stdout().split(" -jar ")[0].split(" ");
        List<String> ofStation = Arrays.stream(command)
                .skip(1) // the version of the JDK
                .filter(option -> !List.of("-Xmx1g", "-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTReplayTraining")
                        .contains(option))
                .toList();
        List<String> ofImage = Files.readAllLines(Path.of("k8s/image/java.options")).stream()
                .filter(line -> line.startsWith("-") && !line.startsWith("-XX:MaxRAMPercentage="))
                .toList();
        assertThat(ofImage).isEqualTo(ofStation);
    }

    @Test
    void setsHugePagesWhereTheKernelAllowsThem() throws Exception {
        jdk("jvm/25", "25");
        for (String allowed : List.of("[always] madvise never\n", "always [madvise] never\n")) {
            Files.writeString(folder.resolve("huge-pages"), allowed);
            assertThat(silkroute("run").stdout()).startsWith("25: -XX:+UseTransparentHugePages -Xmx1g ");
            assertThat(silkroute("status").stdout()).doesNotContain("HugePages");
        }
        Files.writeString(folder.resolve("huge-pages"), "always madvise [never]\n");
        assertThat(silkroute("run").stdout()).startsWith("25: -Xmx1g ");
    }

    @Test
    void worksThroughSymbolicLinks() throws Exception {
        jdk("jvm/25", "25");
        Path links = Files.createDirectories(folder.resolve("links"));
        Files.createSymbolicLink(links.resolve("real"), Path.of("../silk route/silkroute"));
        Files.createSymbolicLink(links.resolve("sr"), links.resolve("real"));
        assertThat(run(links.resolve("sr"), "status").stdout()).contains("-jar " + jar + " status");
    }

    @Test
    void buildsOnlyStaleBuildsAndOnlyForRun() throws Exception {
        jdk("jvm/25", "25");
        maven("3.8.7", "exit 0");
        assertThat(silkroute("run").stderr()).isEmpty();
        Path source = Files.writeString(home.resolve("src/main/New.java"), "class New {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(120)));
        // Commands that use a running station must not replace its jars.
        assertThat(silkroute("status").stderr()).isEmpty();
        Outcome outcome = silkroute("run");
        assertThat(outcome.stderr()).contains("building");
        assertThat(outcome.stdout()).endsWith(" run\n");
        assertThat(Files.readString(home.resolve("target/build.log")))
                .contains("mvn -B -ntp -q -DskipTests -Dsilkroute.commit= package");
    }

    @Test
    void aFailedBuildIsReported() throws Exception {
        jdk("jvm/25", "25");
        maven("3.9.11", "echo 'New.java:1: error'; exit 1");
        Files.delete(jar);
        Outcome outcome = silkroute("run");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.stderr()).contains("New.java:1: error", "silkroute: the build failed");
        assertThat(outcome.stdout()).isEmpty();
    }

    @Test
    void aMissingOrOldMavenIsReported() throws Exception {
        jdk("jvm/25", "25");
        Files.delete(jar);
        assertThat(silkroute("run").stderr()).contains("silkroute: Maven is missing: install Maven 3.8 or newer");
        maven("3.6.3", "exit 0");
        Outcome outcome = silkroute("run");
        assertThat(outcome.stderr()).contains("silkroute: Maven 3.6 is too old: install Maven 3.8 or newer");
        assertThat(outcome.exitCode()).isEqualTo(2);
        maven("4.0.0-rc-4", "exit 0");
        assertThat(silkroute("run").stderr()).contains("there is no build");
    }

    @Test
    void testRunsMavensVerify() throws Exception {
        jdk("jvm/25", "25");
        maven("3.9.11", "exit 3");
        Outcome outcome = silkroute("test", "-Dit.test=X");
        assertThat(outcome.stdout()).isEqualTo("mvn -B -ntp verify -Dit.test=X\n");
        assertThat(outcome.exitCode()).isEqualTo(3);
    }
}
