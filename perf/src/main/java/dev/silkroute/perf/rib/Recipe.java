package dev.silkroute.perf.rib;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Makes the {@link Workload} of the scenario.
 *
 * <ul> <li>{@code synthetic}: the routes of Akvorado's benchmark, its own random numbers, one peer; <li>{@code real}:
 * the real prefixes in random order with attributes drawn as there, one peer; {@code second}: another peer's routes to
 * half of them; {@code change}: other attributes for the first peer's routes; {@code one}: one route of a third peer;
 * <li>{@code W.N.start} and {@code .same}, {@code .changed}: what writer N of W begins with, and what it does then: 20
 * % withdraw a route, 20 % announce one that was withdrawn, 60 % announce one again, with the same attributes (as
 * Akvorado's benchmark does) or with others.
 * </ul>
 */
final class Recipe {
    private static final int SYNTHETIC = 500_000;
    private static final int SECOND = 500_000;
    private static final int PROBES = 1_000_000;
    private static final int HOT = 10_000;
    private static final int OPERATIONS = 500_000;

    private final double scale;
    private final WorkloadFile file = new WorkloadFile();
    private final AttributeDraw attributes = new AttributeDraw();
    private final SplittableRandom random = new SplittableRandom(42);

    private Recipe(double scale) {
        this.scale = scale;
    }

    /** @param scale of the whole; 1 for what is published */
    static Workload make(List<RealTable.Prefix> real, double scale, Path target) throws IOException {
        checkGenerator();
        Recipe recipe = new Recipe(scale);
        recipe.synthetic();
        recipe.real(real);
        recipe.uniform();
        recipe.file.write(target);
        recipe.expect(new Workload(target));
        recipe.file.write(target);
        return new Workload(target);
    }

    /** The first route of Akvorado's own test of its generator. */
    private static void checkGenerator() {
        RealTable.Prefix prefix = new SyntheticTable(new GoRandom(1)).next();
        int[] path = new AttributeDraw().draw(new GoRandom(2)).path();
        if (prefix.high() != 0x16ACDC0000000000L
                || prefix.length() != 24
                || !java.util.Arrays.equals(path, new int[] {5310, 16496, 48042, 23205})) {
            throw new IllegalStateException("not Akvorado's workload: " + prefix);
        }
    }

    private int scaled(int count) {
        return Math.max(1, (int) (count * scale));
    }

    private void synthetic() {
        int routes = scaled(SYNTHETIC);
        int pool = routes + routes / 4;
        SyntheticTable table = new SyntheticTable(new GoRandom(10));
        GoRandom drawing = new GoRandom(0);
        List<RealTable.Prefix> prefixes = new ArrayList<>();
        for (int i = 0; i < pool; i++) {
            RealTable.Prefix prefix = table.next();
            prefixes.add(prefix);
            add(prefix);
            file.set(attributes.draw(drawing), 0, false);
        }
        file.routes("synthetic", sequence(0, 0, 0, routes));
        probes("synthetic", prefixes.subList(0, routes), false);
        SyntheticTable others = new SyntheticTable(new GoRandom(999));
        int[] akvorado = new int[HOT];
        for (int i = 0; i < HOT; i++) {
            akvorado[i] = (int) (others.next().high() >>> 32);
        }
        file.probes("akvorado4", akvorado);
        for (int writers = 1; writers <= 2; writers++) {
            for (int writer = 0; writer < writers; writer++) {
                churn(writers, writer, routes, pool);
            }
        }
    }

    /** Routes that are the same number in prefixes and sets. */
    private static int[] sequence(int peer, int firstPrefix, int firstSet, int count) {
        int[] routes = new int[count * Workload.ROUTE];
        for (int i = 0; i < count; i++) {
            set(routes, i, peer, firstPrefix + i, firstSet + i);
        }
        return routes;
    }

    private static void set(int[] routes, int at, int peer, int prefix, int set) {
        routes[at * Workload.ROUTE] = peer;
        routes[at * Workload.ROUTE + 1] = prefix;
        routes[at * Workload.ROUTE + 2] = set;
    }

    private int add(RealTable.Prefix prefix) {
        return file.prefix(prefix.high(), prefix.low(), prefix.length(), prefix.six());
    }

    private void churn(int writers, int writer, int routes, int pool) {
        List<Integer> alive = share(0, routes, writers, writer);
        List<Integer> dead = share(routes, pool, writers, writer);
        int[] start = new int[alive.size() * Workload.ROUTE];
        for (int i = 0; i < alive.size(); i++) {
            set(start, i, writer, alive.get(i), alive.get(i));
        }
        file.routes(writers + "." + writer + ".start", start);
        int operations = scaled(OPERATIONS) / writers;
        int[] same = new int[operations * Workload.ROUTE];
        int[] changed = same.clone();
        for (int i = 0; i < operations; i++) {
            int drawn = random.nextInt(10);
            boolean withdraw = drawn < 2 && !alive.isEmpty();
            boolean announce = drawn >= 2 && drawn < 4 && !dead.isEmpty();
            int route = withdraw ? move(alive, dead) : announce ? move(dead, alive) : any(alive);
            set(same, i, writer, route, withdraw ? Workload.WITHDRAWAL : route);
            set(changed, i, writer, route, withdraw ? Workload.WITHDRAWAL : random.nextInt(pool));
        }
        file.routes(writers + "." + writer + ".same", same);
        file.routes(writers + "." + writer + ".changed", changed);
    }

    private static List<Integer> share(int from, int to, int writers, int writer) {
        List<Integer> share = new ArrayList<>();
        for (int i = from + writer; i < to; i += writers) {
            share.add(i);
        }
        return share;
    }

    private int any(List<Integer> among) {
        return among.get(random.nextInt(among.size()));
    }

    private int move(List<Integer> from, List<Integer> to) {
        int at = random.nextInt(from.size());
        Integer moved = from.get(at);
        from.set(at, from.getLast());
        from.removeLast();
        to.add(moved);
        return moved;
    }

    private void real(List<RealTable.Prefix> table) {
        List<RealTable.Prefix> prefixes = new ArrayList<>(table);
        Collections.shuffle(prefixes, new Random(42));
        prefixes = prefixes.subList(0, scaled(prefixes.size()));
        GoRandom drawing = new GoRandom(0);
        int[] routes = new int[prefixes.size() * Workload.ROUTE];
        int[] change = new int[Math.min(prefixes.size(), scaled(SECOND)) * Workload.ROUTE];
        int[] second = new int[change.length];
        int firstPrefix = file.prefixes();
        for (int i = 0; i < prefixes.size(); i++) {
            RealTable.Prefix prefix = prefixes.get(i);
            set(routes, i, 0, add(prefix), file.set(attributes.draw(drawing), 0, prefix.six()));
        }
        GoRandom drawingSecond = new GoRandom(1);
        for (int i = 0; i < second.length / Workload.ROUTE; i++) {
            int at = random.nextInt(prefixes.size());
            boolean six = prefixes.get(at).six();
            set(second, i, 1, firstPrefix + at, file.set(attributes.draw(drawingSecond), 1, six));
            at = random.nextInt(prefixes.size());
            six = prefixes.get(at).six();
            set(change, i, 0, firstPrefix + at, file.set(attributes.draw(drawingSecond), 0, six));
        }
        file.routes("real", routes);
        file.routes("second", second);
        file.routes("change", change);
        int one = random.nextInt(prefixes.size());
        file.routes("one", new int[] {2, firstPrefix + one, routes[one * Workload.ROUTE + 2]});
        probes("real", prefixes.stream().filter(prefix -> !prefix.six()).toList(), false);
        probes("real", prefixes.stream().filter(RealTable.Prefix::six).toList(), true);
    }

    /** Random hosts in random prefixes of a table: a million, and ten thousand to be asked for again and again. */
    private void probes(String name, List<RealTable.Prefix> table, boolean six) {
        for (boolean hot : new boolean[] {false, true}) {
            int count = hot ? HOT : scaled(PROBES);
            String full = name + (hot ? "-hot" : "-cold") + (six ? "6" : "4");
            int[] four = new int[count];
            long[] high = new long[count];
            long[] low = new long[count];
            for (int i = 0; i < count; i++) {
                RealTable.Prefix prefix = table.get(random.nextInt(table.size()));
                high[i] = prefix.high() | random.nextLong() & ~Oracle.mask(prefix.length());
                low[i] = prefix.low() | random.nextLong() & ~Oracle.mask(prefix.length() - 64);
                four[i] = (int) (high[i] >>> 32);
            }
            if (six) {
                file.probes(full, high, low);
            } else {
                file.probes(full, four);
            }
        }
    }

    private void uniform() {
        file.probes("uniform4", random.ints(scaled(PROBES)).toArray());
    }

    private void expect(Workload work) {
        for (String routes : List.of("synthetic", "real")) {
            Oracle oracle = new Oracle();
            oracle.announce(work, work.routes(routes));
            file.expect(routes + " prefixes", Integer.toString(oracle.prefixes()));
            for (String name : work.names()) {
                if (name.startsWith("p:") && !(name.endsWith("6") && routes.equals("synthetic"))) {
                    Workload.Probes probes = work.probes(name.substring(2));
                    file.expect(routes + " " + probes.name + " lpm", oracle.answer(work, probes, false));
                    file.expect(routes + " " + probes.name + " full", oracle.answer(work, probes, true));
                }
            }
        }
    }
}
