package dev.silkroute.postgres.pipeline;

import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Brings one flight over one connection: prepares what is new, checks all parameters, sends, waits, and judges. */
final class Sender {
    private static final String SETTINGS =
            "SELECT set_config(name, value, true) FROM unnest($1::text[], $2::text[]) AS setting(name, value)";

    /** How long a flight may take to end after it was cancelled, before its connection is given up. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final PipelineConnection connection;
    private final Flight flight;
    private final PipelineStatistics statistics;
    private final long deadline;
    private boolean interrupted;

    Sender(PipelineConnection connection, Flight flight, PipelineStatistics statistics) {
        this.connection = connection;
        this.flight = flight;
        this.statistics = statistics;
        deadline = System.nanoTime() + flight.limit().toNanos();
    }

    void send() throws FlightException {
        try {
            Landing landing = fly();
            try {
                landing.report();
            } catch (FlightException e) {
                if (!isStale(e)) {
                    throw e;
                }
                // Nothing was applied: the table has changed since the statement was prepared
                connection.statements().remove(SETTINGS);
                flight.statements().forEach(enqueued -> connection.statements().remove(enqueued.sql()));
                flight.statements().forEach(enqueued -> enqueued.answer().reset());
                fly().report();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isStale(FlightException e) {
        return flight.isTransaction()
                && e.outcome() == Outcome.NOTHING_APPLIED
                && e.getCause() instanceof PgException said
                && ("26000".equals(said.getSqlState())
                        || "0A000".equals(said.getSqlState())
                                && said.getErrorMessage().startsWith("cached plan"));
    }

    private Landing fly() throws FlightException {
        Set<String> wanted = new LinkedHashSet<>();
        if (!flight.settings().isEmpty()) {
            wanted.add(SETTINGS);
        }
        flight.statements().forEach(enqueued -> wanted.add(enqueued.sql()));
        Map<String, Throwable> refused = prepare(wanted);
        List<Leg> legs = legs(refused);
        CompletableFuture<Landing> landed = connection.send(flight, legs);
        try {
            return await(landed);
        } catch (TimeoutException | InterruptedException e) {
            interrupted |= e instanceof InterruptedException;
            return cancel(landed);
        }
    }

    private Map<String, Throwable> prepare(Set<String> wanted) throws FlightException {
        PreparedStatements statements = connection.statements();
        List<String> missing = statements.missing(wanted);
        statistics.prepared.add(missing.size());
        statistics.reused.add(wanted.size() - missing.size());
        if (missing.isEmpty()) {
            return Map.of();
        }
        statements.makeRoom(missing.size(), wanted);
        try {
            PipelineConnection.Preparation preparation = await(connection.prepare(missing));
            statements.putAll(preparation.prepared());
            return preparation.refused();
        } catch (TimeoutException | InterruptedException e) {
            interrupted |= e instanceof InterruptedException;
            statistics.cancelled.increment();
            connection.close();
            throw FlightException.nothing("cancelled before it was sent", "57014", e);
        }
    }

    /** All statements with their parameters. In a transaction those that follow each other and are the same are one leg. */
    private List<Leg> legs(Map<String, Throwable> refused) throws FlightException {
        List<Leg> legs = new ArrayList<>();
        Map<String, String> settings = flight.settings();
        if (!settings.isEmpty()) {
            Answer answer = new Answer(FlightException.NO_STATEMENT, SETTINGS);
            Leg leg = new Leg(prepared(answer, refused));
            leg.add(
                    answer,
                    leg.prepared().bind(List.of(List.copyOf(settings.keySet()), List.copyOf(settings.values()))));
            legs.add(leg);
        }
        @Nullable Leg last = null;
        for (Flight.Enqueued enqueued : flight.statements()) {
            Answer answer = enqueued.answer();
            try {
                Prepared prepared = prepared(answer, refused);
                if (last == null || !flight.isTransaction() || last.prepared() != prepared) {
                    last = new Leg(prepared);
                    legs.add(last);
                }
                last.add(answer, prepared.bind(enqueued.parameters()));
            } catch (IllegalArgumentException e) {
                throw before(answer, e);
            }
        }
        return legs;
    }

    private Prepared prepared(Answer answer, Map<String, Throwable> refused) throws FlightException {
        Prepared prepared = connection.statements().get(answer.sql());
        if (prepared == null) {
            throw before(answer, refused.getOrDefault(answer.sql(), new IllegalStateException("not prepared")));
        }
        return prepared;
    }

    private static FlightException before(Answer answer, Throwable reason) {
        return new FlightException(
                "statement " + (answer.number() + 1) + " failed before anything was sent: " + Landing.text(reason)
                        + ": " + Flight.shortened(answer.sql()),
                reason instanceof PgException said ? said.getSqlState() : "22000",
                Outcome.NOTHING_APPLIED,
                answer.number(),
                reason);
    }

    /**
     * Cancels what the server is at, and waits for what comes of it. The request may hit after the flight's end, so its
     * connection is never used again. It hits one statement only: independent ones are not waited for.
     */
    private Landing cancel(CompletableFuture<Landing> landed) throws FlightException {
        statistics.cancelled.increment();
        connection.cancel();
        try {
            Landing landing = flight.isTransaction() ? awaitEnd(landed) : null;
            if (landing == null) {
                connection.abandon();
                landing = awaitEnd(landed);
            }
            if (landing == null) {
                throw new FlightException(
                        "no answer came in time", "08006", Outcome.UNKNOWN, FlightException.NO_STATEMENT, null);
            }
            return landing;
        } finally {
            connection.close();
        }
    }

    private @Nullable Landing awaitEnd(CompletableFuture<Landing> landed) {
        long end = System.nanoTime() + GRACE.toNanos();
        while (true) {
            try {
                return landed.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException | ExecutionException e) {
                return null;
            }
        }
    }

    private <T> T await(Future<T> future) throws FlightException, TimeoutException, InterruptedException {
        try {
            return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw FlightException.nothing("the connection was lost before the flight was sent", "08006", reason);
        }
    }
}
