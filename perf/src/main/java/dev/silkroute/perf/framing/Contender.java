package dev.silkroute.perf.framing;

import dev.silkroute.perf.report.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** An arm's name, how it is made, and its measured runs, one for each round. */
final class Contender {
    private final String name;
    private final CollectorVariant.Factory factory;
    private final List<Run> runs = new ArrayList<>();

    Contender(String name, CollectorVariant.Factory factory) {
        this.name = name;
        this.factory = factory;
    }

    String name() {
        return name;
    }

    CollectorVariant start(String topic) throws Exception {
        return factory.start(topic);
    }

    void add(Run run) {
        runs.add(run);
    }

    double median(ToDoubleFunction<Run> value) {
        return Line.median(values(value));
    }

    /** Round by round, this one's figure divided by the other's of the same round. */
    double[] over(Contender other, ToDoubleFunction<Run> value) {
        double[] own = values(value);
        double[] others = other.values(value);
        double[] ratios = new double[own.length];
        for (int i = 0; i < own.length; i++) {
            ratios[i] = own[i] / others[i];
        }
        return ratios;
    }

    private double[] values(ToDoubleFunction<Run> value) {
        return runs.stream().mapToDouble(value).toArray();
    }
}
