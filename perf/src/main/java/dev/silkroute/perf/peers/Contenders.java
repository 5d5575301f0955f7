package dev.silkroute.perf.peers;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.perf.decode.Builds;
import dev.silkroute.perf.decode.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The collectors that are compared, without those that are not installed or cannot be built. */
final class Contenders {
    private static final String PMBMPD = "pmbmpd";
    private static final Path SYSTEM_PROGRAMS = Path.of("/usr/sbin");
    /** Seconds between two dumps of a table, the maximum. Without dumps {@code pmbmpd} has no table. */
    private static final int DUMP_SECONDS = 86_400;

    private static final Pattern ANNOUNCED = Pattern.compile(" announced=(\\d+) ");

    private final Builds builds;
    private final List<Contender> stations;
    private final List<Contender> others = new ArrayList<>();

    /** @param home the perf folder */
    Contenders(Path home) throws IOException, InterruptedException {
        builds = new Builds(home);
        stations = List.of(
                new Contender(
                        "Silkroute, all roles",
                        "the RIB in memory; messages and routes in Kafka; the current state and the history in PostgreSQL",
                        StationCollector::all),
                new Contender(
                        "Silkroute, collector and rib",
                        "the RIB in memory; messages and routes in Kafka",
                        StationCollector::withoutWriter));
        addPmbmpd();
        Path goBmp = builds.program("collect-gobmp");
        if (builds.build("gobmp", "gobmp", Builds.go(goBmp))) {
            others.add(new Contender("gobmp", "a log in a file", folder -> goBmp(goBmp, folder)));
        }
        Path goBgp = builds.goBgp();
        if (builds.build("GoBGP's packet/bmp", "gobgp", Builds.go(goBgp))) {
            others.add(new Contender("GoBGP's packet/bmp", "nothing", folder -> goBgp(goBgp, folder)));
        }
    }

    private void addPmbmpd() {
        Optional<String> installed = Tools.find(PMBMPD)
                .or(() -> Optional.of(SYSTEM_PROGRAMS.resolve(PMBMPD))
                        .filter(Files::isExecutable)
                        .map(Path::toString));
        if (installed.isEmpty()) {
            builds.leaveOut(PMBMPD, "it is not installed (Debian: pmacct)");
            return;
        }
        String program = installed.get();
        others.add(new Contender("pmbmpd, log", "a log in a file", folder -> pmbmpd(program, folder, false)));
        others.add(new Contender(
                "pmbmpd, log and table",
                "a log in a file; a table in memory",
                folder -> pmbmpd(program, folder, true)));
    }

    private static Collector pmbmpd(String program, Path folder, boolean table)
            throws IOException, InterruptedException {
        Path log = folder.resolve("messages.json");
        List<String> settings = new ArrayList<>(List.of(
                "bmp_daemon_ip: " + Ports.LOOPBACK,
                "bmp_daemon_port: " + Ports.reserve(Ports.LOOPBACK),
                "bmp_daemon_msglog_file: " + log));
        if (table) {
            settings.add("bmp_dump_file: " + folder.resolve("dump.json"));
            settings.add("bmp_dump_refresh_time: " + DUMP_SECONDS);
        }
        Path file = Files.write(folder.resolve("pmbmpd.conf"), settings);
        return ForeignCollector.start(
                List.of(program, "-f", file.toString()),
                folder.resolve("pmbmpd.log"),
                () -> lines(log, "\"log_type\": \"update\""));
    }

    private static Collector goBmp(Path program, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("messages.json");
        return ForeignCollector.start(
                List.of(program.toString(), log.toString()),
                folder.resolve("gobmp.log"),
                () -> lines(log, "\"action\":\"add\""));
    }

    private static Collector goBgp(Path program, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve("gobgp.log");
        return ForeignCollector.start(List.of(program.toString(), "listen"), log, () -> {
            Matcher announced = ANNOUNCED.matcher(Files.readString(log));
            return announced.find() ? Long.parseLong(announced.group(1)) : 0;
        });
    }

    /** Counts the lines of a file that contain a text. */
    private static long lines(Path file, String text) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.contains(text)).count();
        }
    }

    List<Contender> stations() {
        return stations;
    }

    List<Contender> others() {
        return others;
    }

    List<Contender> all() {
        return Stream.concat(stations.stream(), others.stream()).toList();
    }

    /** Returns the reason for each missing contender. */
    Map<String, String> missing() {
        return builds.missing();
    }
}
