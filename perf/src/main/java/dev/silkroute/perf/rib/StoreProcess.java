package dev.silkroute.perf.rib;

import dev.silkroute.perf.report.Line;
import dev.silkroute.perf.report.Machine;
import dev.silkroute.rib.RibConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@link Store} in its own JVM, controlled by standard input; the arguments are {@code own} or {@code
 * plain} and the workload's file.
 *
 * <pre>
 * new                               an empty table
 * apply ROUTES                      routes, time and CPU time in ns, bytes allocated and not kept as segments; applyread: records are read before the clock starts
 * memory                            bytes in use more than before the table was made
 * lookup PROBES HOW SECONDS         all probes in turn: lookups, time and CPU time in ns. HOW: full or lpm, one by one
 *                                   in sections of a thousand; fulleach or lpmeach, in a section each; fulls or
 *                                   lpms, in batches
 * check PROBES full|lpm             hits and digest of the answers
 * latency PROBES WRITERS MIX SECONDS  reads timed while writers apply W.N.MIX again and again
 * writes WRITERS MIX SECONDS        updates that are applied while nobody reads
 * flush PEER                        ns until a reader no longer sees the peer's routes, the call was over, and nothing is left of them
 * flushes ROUTES PEER TIMES         the same again and again, the routes applied before each: medians
 * </pre>
 */
final class StoreProcess {
    /** Lookups between two looks at the clock. */
    private static final int LOOKUPS = 10_000;

    private static final RibConfig CONFIG = RibConfig.ofBytes(2L << 30);

    private final boolean own;
    private final Workload work;
    private Store store;
    private long before;
    private long sink;

    private StoreProcess(boolean own, Workload work) {
        this.own = own;
        this.work = work;
        store = empty();
    }

    public static void main(String[] arguments) throws Exception {
        StoreProcess process = new StoreProcess(arguments[0].equals("own"), new Workload(Path.of(arguments[1])));
        System.out.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(process.answer(line.split(" ")));
        }
        System.exit(process.sink == 42 ? 1 : 0);
    }

    private Store empty() {
        return own ? new OwnStore(CONFIG) : new PlainStore();
    }

    private String answer(String[] words) throws Exception {
        return switch (words[0]) {
            case "new" -> {
                store.close();
                store = new NoStore();
                before = Memory.inUse();
                store = empty();
                yield "done=1";
            }
            case "apply" -> apply(words[1], false);
            case "applyread" -> apply(words[1], true);
            case "memory" -> memory();
            case "lookup" -> lookup(work.probes(words[1]), words[2], Double.parseDouble(words[3]));
            case "check" -> Probing.check(store.reader(), work.probes(words[1]), words[2].equals("full"));
            case "latency" ->
                latency(work.probes(words[1]), Integer.parseInt(words[2]), words[3], Double.parseDouble(words[4]));
            case "writes" -> writes(Integer.parseInt(words[1]), words[2], Double.parseDouble(words[3]));
            case "flush" -> {
                Store.Flushed flushed = store.flush(Integer.parseInt(words[1]));
                yield "visible=" + flushed.visible() + " returned=" + flushed.returned() + " reclaimed="
                        + flushed.reclaimed() + " routes=" + store.routes();
            }
            case "flushes" -> flushes(words[1], Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            default -> throw new IOException(words[0]);
        };
    }

    private String apply(String routes, boolean read) {
        Store.Feed feed = store.feed(work, routes, read);
        double cpu = Machine.cpuSeconds();
        long reserved = store.reserved();
        long allocated = Memory.allocatedByThisThread();
        long start = System.nanoTime();
        long updates = 0;
        for (int i = 0; i < feed.portions(); i++) {
            updates += feed.apply(i);
        }
        long nanos = System.nanoTime() - start;
        // What the table has more now is no garbage.
        allocated = Memory.allocatedByThisThread() - allocated - (store.reserved() - reserved);
        long cpuNanos = (long) ((Machine.cpuSeconds() - cpu) * 1e9);
        return "routes=" + updates + " held=" + store.routes() + " nanos=" + nanos + " cpu=" + cpuNanos + " allocated="
                + allocated;
    }

    private String flushes(String routes, int peer, int times) throws InterruptedException {
        double[] visible = new double[times];
        double[] reclaimed = new double[times];
        Store.Feed feed = store.feed(work, routes, true);
        for (int i = 0; i < times; i++) {
            for (int portion = 0; portion < feed.portions(); portion++) {
                feed.apply(portion);
            }
            Store.Flushed flushed = store.flush(peer);
            visible[i] = flushed.visible();
            reclaimed[i] = flushed.reclaimed();
        }
        return "visible=" + Line.median(visible) + " reclaimed=" + Line.median(reclaimed);
    }

    private String memory() {
        long bytes = Memory.inUse() - before;
        return "bytes=" + bytes + " routes=" + store.routes() + " reserved=" + store.reserved();
    }

    private String lookup(Workload.Probes probes, String how, double seconds) {
        Store.Reader reader = store.reader();
        long lookups = 0;
        long cpu = Memory.cpuOfThisThread();
        long start = System.nanoTime();
        while (lookups == 0 || Memory.cpuOfThisThread() - cpu < seconds * 1e9) {
            int from = (int) (lookups % probes.size());
            int to = Math.min(probes.size(), from + LOOKUPS);
            sink += switch (how) {
                case "full" -> Probing.inSections(reader, probes, from, to, true);
                case "fulleach" -> Probing.fulls(reader, probes, from, to);
                case "fulls" -> reader.fulls(probes, from, to);
                case "lpm" -> Probing.inSections(reader, probes, from, to, false);
                case "lpmeach" -> Probing.matches(reader, probes, from, to);
                case "lpms" -> reader.matches(probes, from, to);
                default -> throw new IllegalArgumentException(how);
            };
            lookups += to - from;
        }
        long cpuNanos = Memory.cpuOfThisThread() - cpu;
        return "lookups=" + lookups + " nanos=" + (System.nanoTime() - start) + " cpu=" + cpuNanos;
    }

    private String latency(Workload.Probes probes, int writers, String mix, double seconds) throws Exception {
        List<ChurnWriter> churn = churn(writers, mix);
        Store.Reader reader = store.reader();
        Latencies latencies = new Latencies();
        long start = System.nanoTime();
        long end = start + (long) (seconds * 1e9);
        long before = updates(churn);
        while (System.nanoTime() < end) {
            for (int address : probes.four) {
                long asked = System.nanoTime();
                sink += reader.full4(address);
                latencies.add(System.nanoTime() - asked);
            }
        }
        long updates = updates(churn) - before;
        long nanos = System.nanoTime() - start;
        long allocated = 0;
        for (ChurnWriter writer : churn) {
            allocated += writer.end();
        }
        return latencies.text() + " writes=" + updates + " nanos=" + nanos + " allocated=" + allocated + " of="
                + updates(churn);
    }

    private String writes(int writers, String mix, double seconds) throws Exception {
        List<ChurnWriter> churn = churn(writers, mix);
        long start = System.nanoTime();
        long before = updates(churn);
        Thread.sleep((long) (seconds * 1e3));
        long updates = updates(churn) - before;
        long nanos = System.nanoTime() - start;
        for (ChurnWriter writer : churn) {
            writer.end();
        }
        return "writes=" + updates + " nanos=" + nanos;
    }

    private List<ChurnWriter> churn(int writers, String mix) {
        List<ChurnWriter> churn = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            churn.add(new ChurnWriter(store.feed(work, writers + "." + i + "." + mix, true)));
        }
        churn.forEach(Thread::start);
        return churn;
    }

    private static long updates(List<ChurnWriter> churn) {
        return churn.stream().mapToLong(ChurnWriter::updates).sum();
    }
}
