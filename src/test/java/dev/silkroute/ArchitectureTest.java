package dev.silkroute;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaParameterizedType;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Fault;
import dev.silkroute.session.Redecoder;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that packages use each other only as their {@code package-info.java} allows, and without cycles. */
class ArchitectureTest {
    private static final String ROOT = "dev.silkroute.";
    private static final int MAX_FILES = 30;
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.silkroute");

    /** Checks that a package and those below it use only the given packages of the product besides themselves. */
    private static void mayUse(String source, String... others) {
        String[] allowed = new String[others.length + 2];
        allowed[0] = ROOT + source + "..";
        // The package component itself has what components share
        allowed[1] = ROOT + "component";
        for (int i = 0; i < others.length; i++) {
            allowed[i + 2] = ROOT + others[i] + "..";
        }
        noClasses()
                .that()
                .resideInAPackage(ROOT + source + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT.substring(0, ROOT.length() - 1) + "..")
                        .and(not(resideInAnyPackage(allowed))))
                .check(CLASSES);
    }

    /** docs/reference/decoding-errors.md lists the reasons of {@link Fault}s, so decoders have no others. */
    @Test
    void decodersSignalFaultsOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "bmp..", ROOT + "bgp..", ROOT + "session..")
                // Canonical sets and arrays of whole messages are the station's own.
                .and(not(belongToAnyOf(PathAttributes.class, Redecoder.class)))
                .should()
                .callConstructor(DecodeException.class, String.class, int.class, String.class)
                .check(CLASSES);
    }

    @Test
    void everyFaultIsSignalled() {
        Set<String> unused = CLASSES.stream()
                .filter(type -> type.isEnum() && type.isAssignableTo(Fault.class))
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getRawType().isAssignableTo(Fault.class))
                .filter(field -> field.getAccessesToSelf().stream()
                        .allMatch(access -> access.getOriginOwner().equals(field.getOwner())))
                .map(JavaField::getFullName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(unused).isEmpty();
    }

    @Test
    void netUsesNoOtherPackage() {
        mayUse("net");
    }

    @Test
    void namesUseNet() {
        mayUse("names", "net");
    }

    @Test
    void bgpUsesNet() {
        mayUse("bgp", "net");
    }

    @Test
    void bmpUsesBgp() {
        mayUse("bmp", "bgp", "net");
    }

    @Test
    void routeUsesBgpAndRpki() {
        mayUse("route", "rpki", "bgp", "net");
    }

    @Test
    void stateUsesBgp() {
        mayUse("state", "bgp", "net");
    }

    @Test
    void digestUsesBgp() {
        mayUse("digest", "bgp", "net");
    }

    @Test
    void sessionUsesBmpAndRoute() {
        mayUse("session", "bmp", "route", "bgp", "net");
        mayUse("session.identity", "bmp", "bgp", "net");
    }

    @Test
    void collectorUsesSession() {
        mayUse("collector", "session", "bmp", "route", "bgp", "net");
        mayUse("collector.sessions", "session", "bmp", "bgp", "net");
        mayUse("collector.turns", "collector.sessions", "session");
        mayUse("collector.gate", "collector.sessions", "net");
        mayUse("collector.sockets");
    }

    @Test
    void postgresUsesRouteAndState() {
        mayUse("postgres", "digest", "state", "route", "bgp", "net");
    }

    @Test
    void ribUsesRouteAndState() {
        mayUse("rib", "digest", "state", "route", "bgp", "net");
    }

    /** Of {@code rib}, other packages use the root and {@code query} only. */
    @Test
    void ribHidesItsInternals() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "rib..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(ROOT + "rib..")
                        .and(not(resideInAnyPackage(ROOT + "rib", ROOT + "rib.query"))))
                .check(CLASSES);
    }

    @Test
    void rpkiUsesNet() {
        mayUse("rpki", "net");
    }

    @Test
    void alertUsesRouteStateAndRpki() {
        mayUse("alert", "rpki", "state", "route", "bgp", "net");
    }

    @Test
    void liveUsesRoute() {
        mayUse("live", "route", "rpki", "bgp", "net");
    }

    @Test
    void captureUsesNet() {
        mayUse("capture", "net");
    }

    @Test
    void mrtUsesCaptureAndBmp() {
        mayUse("mrt", "capture", "bmp", "bgp", "net");
    }

    @Test
    void loadUsesBmp() {
        mayUse("load", "bmp", "bgp", "net");
    }

    @Test
    void componentsUseTheirOwnPackageOnly() {
        mayUse("component.bmp", "collector", "session", "bmp", "route", "rpki", "names", "bgp", "net");
        mayUse("component.replay", "mrt", "capture", "net");
        mayUse("component.nettyff");
        mayUse("component.lane", "postgres");
        mayUse("component.pgcopy", "postgres");
        mayUse("component.pgpipe", "postgres");
        mayUse("component.pgstate", "postgres");
        mayUse("component.rib", "rib", "route", "rpki", "names", "bgp", "net");
    }

    /** {@code netty-ff:} works in any Camel application, with or without Micrometer. */
    @Test
    void nettyFfUsesCamelAndNettyOnly() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "component.nettyff..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.quarkus..", "jakarta..", "org.jboss..", "org.apache.kafka..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(ROOT + "component.nettyff..")
                .and()
                .doNotHaveSimpleName("NettyFfMeters")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(CLASSES);
    }

    @Test
    void noFrameworkBelowTheComponents() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        ROOT + "net..",
                        ROOT + "bgp..",
                        ROOT + "bmp..",
                        ROOT + "route..",
                        ROOT + "state..",
                        ROOT + "digest..",
                        ROOT + "session..",
                        ROOT + "collector..",
                        ROOT + "postgres..",
                        ROOT + "rib..",
                        ROOT + "rpki..",
                        ROOT + "live..",
                        ROOT + "alert..",
                        ROOT + "capture..",
                        ROOT + "mrt..",
                        ROOT + "load..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.camel..", "io.quarkus..", "jakarta..", "io.micrometer..", "org.apache.kafka..")
                .check(CLASSES);
    }

    /** The packages below each package depend on one another in one direction only. */
    @Test
    void packagesHaveNoCycles() {
        Set<String> parents = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            String name = type.getPackageName();
            while (name.startsWith(ROOT)) {
                name = name.substring(0, name.lastIndexOf('.'));
                parents.add(name);
            }
        }
        assertThat(parents).hasSizeGreaterThan(10);
        parents.forEach(parent ->
                slices().matching(parent + ".(*)..").should().beFreeOfCycles().check(CLASSES));
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "bgp.attribute.community", ROOT + "bgp.attribute.tlv")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "bgp.attribute")
                .check(CLASSES);
        slices().matching(ROOT + "component.(*)..")
                .should()
                .notDependOnEachOther()
                .check(CLASSES);
    }

    @Test
    void everyPackageHasAPackageInfo() {
        classes().that().haveSimpleName("package-info").should().notBePublic().check(CLASSES);
        Set<String> packages = CLASSES.stream()
                .filter(c -> !c.getPackageName().isEmpty())
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> described = CLASSES.stream()
                .filter(c -> c.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(described).containsExactlyInAnyOrderElementsOf(packages);
    }

    @Test
    void noPackageHasMoreThan30Files() {
        Map<String, Long> files = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        files.values().removeIf(count -> count <= MAX_FILES);
        assertThat(files).isEmpty();
    }

    /**
     * Records that are keys of hash tables without being {@link Comparable}, with the hash function of every record:
     * keys whose hashes are equal are compared one after the other. For each the reason for which they are few.
     */
    private static final Map<String, String> UNKEYED = Map.of(
            "app.config.BmpListener", "configured",
            "app.rib.RibTableGauges$PeerTable", "the hash of its peer is keyed",
            "app.routes.RouteStep", "configured",
            "capture.packet.IpFragments$Key", "at most 128 are held",
            "postgres.lane.LaneOffsets$Partition", "numbers of partitions",
            "postgres.state.InvalidRows$Table", "the hash of its peer is keyed",
            "postgres.state.RibTables$Key", "numbers that the database assigns",
            "rib.peer.Registry$ViewFamilyKey", "with one view, the hash is different for each family");

    /** A hash function that {@code javac} generates for a record is final. */
    @Test
    void hashTablesOfInputHaveKeyedHashes() {
        Set<String> unkeyed = new TreeSet<>();
        for (JavaClass type : CLASSES) {
            for (JavaField field : type.getFields()) {
                addUnkeyed(field.getType(), unkeyed);
            }
        }
        assertThat(unkeyed).containsExactlyInAnyOrderElementsOf(UNKEYED.keySet());
    }

    private static void addUnkeyed(JavaType type, Set<String> unkeyed) {
        if (type instanceof JavaParameterizedType table) {
            table.getActualTypeArguments().forEach(argument -> addUnkeyed(argument, unkeyed));
            JavaClass key = table.getActualTypeArguments().getFirst().toErasure();
            boolean isTable = type.toErasure().isAssignableTo(Map.class)
                    || type.toErasure().isAssignableTo(Set.class);
            if (isTable
                    && key.isRecord()
                    && !key.isAssignableTo(Comparable.class)
                    && key.getMethod("hashCode").getModifiers().contains(JavaModifier.FINAL)) {
                unkeyed.add(key.getName().substring(ROOT.length()));
            }
        }
    }
}
