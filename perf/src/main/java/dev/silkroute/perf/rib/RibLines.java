package dev.silkroute.perf.rib;

import static dev.silkroute.perf.rib.Contenders.*;

import dev.silkroute.perf.report.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines of the result. */
final class RibLines {
    private static final String ANSWERS =
            "prefix and attribute bytes of every answer, by digest, against a table of hash maps";
    private static final String PREFIXES = "the prefix of every answer, by digest, against a table of hash maps";
    private static final String AGREED =
            "prefix and attribute bytes of 10,000 answers, by digest: the same of all that had the same updates";
    private static final String TWO = "nothing: in which order two writers come differs";
    private static final String HELD = "nothing is held after all peers are flushed";

    private static final String BART_FAST = "bart Fast";
    private static final String ROTONDA_STORE = "rotonda-store";
    private static final String PLAIN_JAVA = "plain Java";

    private final Contenders contenders;
    private final List<Line> lines = new ArrayList<>();

    RibLines(Contenders contenders) {
        this.contenders = contenders;
    }

    List<Line> lines() {
        contenders.get(OWN).ifPresent(own -> {
            contenders.get(BART).ifPresent(bart -> bart(own, bart));
            contenders.get(ROTONDA).ifPresent(rotonda -> rotonda(own, rotonda));
            contenders.get(PLAIN).ifPresent(plain -> plain(own, plain));
            itself(own);
        });
        return lines;
    }

    private void bart(Contender own, Contender bart) {
        for (String heat : List.of("cold", "hot")) {
            boolean held = heat.equals("cold");
            for (String family : List.of("4", "6")) {
                boolean four = family.equals("4");
                String measure = "LPM only, IPv" + family + ", " + heat;
                String one = "real real-" + heat + family + " lpm";
                @Nullable Double must = held ? 1.5 : null;
                @Nullable Double aim = held ? 3.0 : null;
                faster(measure + ", one by one", BART_FAST, own, one, bart, one, must, aim);
                faster(measure + ", a section each", BART_FAST, own, one + "each", bart, one, null, null);
                faster(
                        measure + ", batched",
                        BART_FAST,
                        own,
                        one + "s",
                        bart,
                        one,
                        held ? four ? 4.0 : 1.5 : null,
                        held ? four ? 10.0 : 2.0 : null);
            }
        }
    }

    private void rotonda(Contender own, Contender rotonda) {
        more("inserts, real prefixes", ROTONDA_STORE, own, rotonda, "routes/CPU s, real", 2.5, 4.0);
        more("second peer's routes", ROTONDA_STORE, own, rotonda, "routes/CPU s, second", null, null);
        more("changes", ROTONDA_STORE, own, rotonda, "routes/CPU s, change", null, null);
        for (String probes : List.of("real-cold4", "real-cold6", "real-hot4")) {
            boolean held = probes.equals("real-cold4");
            String one = "real " + probes + " full";
            faster(
                    "full lookup, " + probes + ", one by one",
                    ROTONDA_STORE,
                    own,
                    one,
                    rotonda,
                    one,
                    held ? 8.0 : null,
                    held ? 20.0 : null);
            faster(
                    "full lookup, " + probes + ", batched",
                    ROTONDA_STORE,
                    own,
                    one + "s",
                    rotonda,
                    one,
                    held ? 8.0 : null,
                    held ? 20.0 : null);
        }
    }

    private void plain(Contender own, Contender plain) {
        less("bytes/route, real prefixes", PLAIN_JAVA, own, plain, "bytes/route, real", 0.4, 0.25);
        less("bytes/route, synthetic", PLAIN_JAVA, own, plain, "bytes/route, synthetic", null, null);
        more("inserts, real prefixes", PLAIN_JAVA, own, plain, "routes/CPU s, real", null, null);
        for (String probes : List.of("real-cold4", "real-cold6", "real-hot4", "real-hot6")) {
            boolean held = probes.startsWith("real-cold");
            String full = "real " + probes + " full";
            String one = full + "each";
            faster(
                    "full lookup, " + probes + ", one by one",
                    PLAIN_JAVA,
                    own,
                    one,
                    plain,
                    one,
                    held ? 1.5 : null,
                    held ? 3.0 : null);
            faster("full lookup, " + probes + ", batched", PLAIN_JAVA, own, full + "s", plain, one, null, null);
        }
        for (String writers : List.of("1 changed", "1 same", "2 changed")) {
            boolean held = writers.equals("1 changed");
            String tail = "p999, writers " + writers;
            faster(
                    "read p99.9, writers: " + writers,
                    PLAIN_JAVA,
                    own,
                    tail,
                    plain,
                    tail,
                    held ? 20.0 : null,
                    held ? 100.0 : null);
            more(
                    "writes meanwhile, writers: " + writers,
                    PLAIN_JAVA,
                    own,
                    plain,
                    "writes/s, writers " + writers,
                    held ? 5.0 : null,
                    null);
            more(
                    "writes, nobody reads, writers: " + writers,
                    PLAIN_JAVA,
                    own,
                    plain,
                    "writes/s, nobody reads, writers " + writers,
                    null,
                    null);
        }
    }

    private void itself(Contender own) {
        if (own.has("flush of peer 0, ns visible")) {
            lines.add(Line.lower(
                    "flush of the biggest peer until no reader sees it",
                    "a microsecond",
                    "µs",
                    scaled(own, "flush of peer 0, ns visible", 1e3),
                    1000.0,
                    100.0,
                    HELD));
            lines.add(Line.lower(
                    "flush of a peer of one route, all of it",
                    "a microsecond",
                    "µs",
                    scaled(own, "flush of one route, ns reclaimed", 1e3),
                    100.0,
                    20.0,
                    HELD));
        }
        for (String updates : List.of("change", "writers 1 changed")) {
            if (own.has("allocated/update, " + updates)) {
                lines.add(Line.lower(
                        "garbage per update, " + updates,
                        "a byte",
                        "bytes",
                        Arrays.stream(own.values("allocated/update, " + updates))
                                .map(Math::rint)
                                .toArray(),
                        0.0,
                        0.0,
                        "whole bytes; what a record of 1000 updates costs once is in the table below"));
            }
        }
        for (String writers : List.of("1 changed", "2 changed")) {
            if (own.has("p50, writers " + writers)) {
                double[] busy = own.values("p50, writers " + writers);
                double[] idle = own.values("p50, writers 0 changed");
                String measure = "read p50, writers: " + writers;
                lines.add(Line.lower(measure, "without writers", "ns", ratios(busy, idle), null, checked(measure)));
            }
        }
    }

    private static String checked(String measure) {
        if (measure.contains("writers: 2")) {
            return TWO;
        }
        if (measure.contains("writers: 1")) {
            return AGREED;
        }
        return measure.startsWith("LPM") ? PREFIXES : ANSWERS;
    }

    private void faster(
            String measure,
            String baseline,
            Contender own,
            String ours,
            Contender other,
            String theirs,
            @Nullable Double must,
            @Nullable Double aim) {
        if (own.has(ours) && other.has(theirs)) {
            lines.add(Line.higher(
                    measure,
                    baseline,
                    "1/ns",
                    ratios(other.values(theirs), own.values(ours)),
                    must,
                    aim,
                    checked(measure)));
        }
    }

    private void more(
            String measure,
            String baseline,
            Contender own,
            Contender other,
            String what,
            @Nullable Double must,
            @Nullable Double aim) {
        if (own.has(what) && other.has(what)) {
            lines.add(Line.higher(
                    measure,
                    baseline,
                    what.substring(0, what.indexOf(',')),
                    ratios(own.values(what), other.values(what)),
                    must,
                    aim,
                    checked(measure)));
        }
    }

    private void less(
            String measure,
            String baseline,
            Contender own,
            Contender other,
            String what,
            @Nullable Double must,
            @Nullable Double aim) {
        if (own.has(what) && other.has(what)) {
            lines.add(Line.lower(
                    measure, baseline, "bytes", ratios(own.values(what), other.values(what)), must, aim, ANSWERS));
        }
    }

    private static double[] scaled(Contender own, String measure, double by) {
        return Arrays.stream(own.values(measure)).map(value -> value / by).toArray();
    }

    static double[] ratios(double[] above, double[] below) {
        double[] ratios = new double[Math.min(above.length, below.length)];
        Arrays.setAll(ratios, i -> above[i] / below[i]);
        return ratios;
    }
}
