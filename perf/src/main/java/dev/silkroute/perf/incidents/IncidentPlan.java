package dev.silkroute.perf.incidents;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The incidents of a run, and as many near misses, in the order in which they begin. */
record IncidentPlan(List<Incident> incidents) {
    /** @param perKind incidents of each kind */
    static IncidentPlan of(long seed, int perKind) {
        Random random = new Random(seed);
        List<IncidentKind> kinds = new ArrayList<>();
        List<Boolean> raises = new ArrayList<>();
        for (int i = 0; i < perKind; i++) {
            for (IncidentKind kind : IncidentKind.values()) {
                kinds.add(kind);
                raises.add(true);
                if (kind.isSent()) {
                    kinds.add(kind);
                    raises.add(false);
                }
            }
        }
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, kinds.size()).boxed().toList());
        Collections.shuffle(order, random);
        List<Incident> incidents = new ArrayList<>();
        for (int number = 0; number < order.size(); number++) {
            IncidentKind kind = kinds.get(order.get(number));
            boolean raise = raises.get(order.get(number));
            incidents.add(new Incident(number, kind, feeds(kind, raise, random), raise));
        }
        return new IncidentPlan(List.copyOf(incidents));
    }

    /** Enough vantage points, or one fewer than that; those of a customer's leak have to be customers. */
    private static List<Integer> feeds(IncidentKind kind, boolean raise, Random random) {
        List<Integer> feeds = new ArrayList<>(IntStream.range(0, Network.FEEDS)
                .filter(feed -> kind != IncidentKind.CUSTOMER_LEAK || Network.isCustomer(feed))
                .boxed()
                .toList());
        Collections.shuffle(feeds, random);
        int enough = kind.threshold() + random.nextInt(feeds.size() - kind.threshold() + 1);
        return List.copyOf(feeds.subList(0, raise ? enough : kind.threshold() - 1));
    }

    List<Incident> thatRaise() {
        return incidents.stream().filter(Incident::raises).toList();
    }
}
