package dev.silkroute.perf.postgres;

import dev.silkroute.perf.report.Line;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A way to store a feed, with the costs of its turns. Each turn starts with fresh tables. */
public abstract class StorageContender {
    private final String name;
    private final String database;
    private final TransactionFeed feed;
    private final List<Turn> turns = new ArrayList<>();

    /** @param database the database with its tables */
    protected StorageContender(String name, String database, TransactionFeed feed) {
        this.name = name;
        this.database = database;
        this.feed = feed;
    }

    /**
     * The costs of one turn.
     *
     * @param later the costs of deferred work, measured separately; null if there is none
     * @param grown the growth of tables and indexes on disk in bytes, before deferred work
     * @param grownLater the same after deferred work
     * @param found the result of the check of the stored data
     */
    public record Turn(ResourceUsage usage, @Nullable ResourceUsage later, long grown, long grownLater, String found) {
        /** Returns the costs including deferred work. */
        public ResourceUsage all() {
            return later == null ? usage : usage.plus(later);
        }
    }

    public String name() {
        return name;
    }

    /** The feed that is stored in each turn. */
    public TransactionFeed feed() {
        return feed;
    }

    String database() {
        return database;
    }

    /** Returns whether each turn uses a copy of the database; otherwise it is {@link #reset}. */
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

    /** The result: a row count and a digest of every row. */
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

    /** Returns for each round, in order, this arm's value divided by the other's. */
    public double[] over(StorageContender other, ToDoubleFunction<Turn> value) {
        return over(other, value, value);
    }

    public double[] over(StorageContender other, ToDoubleFunction<Turn> own, ToDoubleFunction<Turn> others) {
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
