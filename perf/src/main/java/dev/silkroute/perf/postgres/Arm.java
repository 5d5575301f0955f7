package dev.silkroute.perf.postgres;

import dev.silkroute.perf.report.Line;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** One way to store a feed, and what its turns cost. Each turn begins with tables as good as new. */
public abstract class Arm {
    private final String name;
    private final String database;
    private final Feed feed;
    private final List<Turn> turns = new ArrayList<>();

    /** @param database where its tables are */
    protected Arm(String name, String database, Feed feed) {
        this.name = name;
        this.database = database;
        this.feed = feed;
    }

    /**
     * What one turn cost.
     *
     * @param later what was done afterwards and is counted by itself; null for an arm that leaves nothing for later
     * @param grown bytes on disk that the tables have grown by, with their indexes, before what is done later
     * @param grownLater the same after it
     * @param found the answer of the arm's check
     */
    public record Turn(Usage usage, @Nullable Usage later, long grown, long grownLater, String found) {
        /** The turn and what was left for later. */
        public Usage all() {
            return later == null ? usage : usage.plus(later);
        }
    }

    public String name() {
        return name;
    }

    /** What it stores in each turn. */
    public Feed feed() {
        return feed;
    }

    String database() {
        return database;
    }

    /** Whether each turn has a copy of the database; else it is {@link #reset}. */
    protected boolean copies() {
        return false;
    }

    /** Not timed: makes the tables new again. */
    protected void reset(Database database) throws SQLException {}

    /** Not timed: all that can be ready before the first row. */
    protected void prepare(Database database) throws Exception {
        database.number("SELECT 1");
    }

    /** Timed: returns when the last commit was answered. */
    protected abstract void run(Database database) throws Exception;

    /** Timed by itself; false if there is nothing to do. */
    protected boolean later(Database database) throws SQLException {
        return false;
    }

    /** Not timed. */
    protected void end() throws Exception {}

    /** Bytes on disk of the tables that the arm writes, everything included. */
    protected abstract long size(Database database) throws SQLException;

    /** What came out: a row count and a digest of every row. */
    protected abstract String check(Database database) throws SQLException;

    /** CPU seconds of processes of its own so far, beside this one. */
    protected double otherCpuSeconds() {
        return 0;
    }

    void keep(Turn turn) {
        turns.add(turn);
    }

    public List<Turn> turns() {
        return turns;
    }

    /** Of each round, one after the other, this arm's value divided by the other's. */
    public double[] over(Arm other, ToDoubleFunction<Turn> value) {
        return over(other, value, value);
    }

    public double[] over(Arm other, ToDoubleFunction<Turn> own, ToDoubleFunction<Turn> others) {
        double[] ratios = new double[turns.size()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = own.applyAsDouble(turns.get(i)) / others.applyAsDouble(other.turns.get(i));
        }
        return ratios;
    }

    public double median(ToDoubleFunction<Turn> value) {
        return Line.median(turns.stream().mapToDouble(value).toArray());
    }
}
