package dev.silkroute.postgres.pipeline;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One connection. All that is written is written by its event loop, a flight in one go of it: nothing else can come between
 * the statements. It belongs to the thread that has it from the pool.
 */
final class PipelineConnection {
    /** By it the driver's prepared statements, which don't tell the types of their parameters, get them from the server. */
    private static final String TYPES = """
            SELECT statement, ARRAY(
                SELECT CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN t.typname::text ELSE 'text' END
                FROM unnest(parameter_types::oid[]) WITH ORDINALITY AS p(type, n) JOIN pg_catalog.pg_type t ON t.oid = p.type
                ORDER BY n)
            FROM pg_catalog.pg_prepared_statements WHERE statement = ANY($1)""";

    private final Context context;
    private final PgConnection connection;
    private final PreparedStatement types;
    private final PreparedStatements statements;
    private volatile boolean open = true;
    private @Nullable InTheAir inTheAir;
    private long room;

    /** A flight that has not landed. */
    private record InTheAir(Landing landing, CompletableFuture<Landing> landed) {}

    private PipelineConnection(Context context, PgConnection connection, PreparedStatement types, int prepared) {
        this.context = context;
        this.connection = connection;
        this.types = types;
        statements = new PreparedStatements(prepared);
        OneWrite.of(connection);
        connection.closeHandler(_ -> open = false);
        connection.exceptionHandler(this::noticed);
    }

    static CompletableFuture<PipelineConnection> open(Vertx vertx, PgConnectOptions options, int prepared) {
        CompletableFuture<PipelineConnection> opened = new CompletableFuture<>();
        // A thread of its own has no context yet, and so gets a new one: the connection must not live in that of a web
        // request
        Thread.startVirtualThread(() -> open(vertx.getOrCreateContext(), vertx, options, prepared, opened));
        return opened;
    }

    private static void open(
            Context context,
            Vertx vertx,
            PgConnectOptions options,
            int prepared,
            CompletableFuture<PipelineConnection> opened) {
        context.runOnContext(_ -> PgConnection.connect(vertx, options)
                .compose(connection -> connection
                        .prepare(TYPES)
                        .map(types -> new PipelineConnection(context, connection, types, prepared))
                        .onFailure(_ -> connection.close()))
                .onComplete(result -> {
                    if (result.failed()) {
                        opened.completeExceptionally(result.cause());
                    } else if (!opened.complete(result.result())) {
                        result.result().close(); // nobody waits for it any more
                    }
                }));
    }

    boolean isOpen() {
        return open;
    }

    PreparedStatements statements() {
        return statements;
    }

    /** Prepares statements, all at once. The ones that can't be are named with the reason. */
    CompletableFuture<Preparation> prepare(List<String> sqls) {
        CompletableFuture<Preparation> prepared = new CompletableFuture<>();
        context.runOnContext(_ -> {
            List<Future<PreparedStatement>> futures = new ArrayList<>();
            for (String sql : sqls) {
                futures.add(connection.prepare(sql));
            }
            var rows = types.query().execute(Tuple.tuple().addValue(sqls.toArray(String[]::new)));
            List<Future<?>> all = new ArrayList<>(futures);
            all.add(rows);
            Future.join(all).onComplete(_ -> {
                if (rows.failed()) {
                    prepared.completeExceptionally(rows.cause());
                } else {
                    prepared.complete(preparation(sqls, futures, rows.result()));
                }
            });
        });
        return prepared;
    }

    /** Statements as prepared, and those that could not be. */
    record Preparation(Map<String, Prepared> prepared, Map<String, Throwable> refused) {}

    private static Preparation preparation(
            List<String> sqls, List<Future<PreparedStatement>> futures, Iterable<Row> rows) {
        Map<String, List<String>> typesOf = new HashMap<>();
        rows.forEach(row -> typesOf.put(row.getString(0), List.of(row.getArrayOfStrings(1))));
        Preparation preparation = new Preparation(new HashMap<>(), new HashMap<>());
        for (int i = 0; i < sqls.size(); i++) {
            String sql = sqls.get(i);
            List<String> known = typesOf.get(sql);
            if (futures.get(i).failed()) {
                preparation.refused.put(sql, futures.get(i).cause());
            } else if (known == null) {
                // The driver would prepare it later, by the classes of what it is given, and out of turn
                preparation.refused.put(
                        sql,
                        new IllegalArgumentException(
                                "PostgreSQL can't find out the type of a parameter: say it, as in $1::bigint"));
            } else {
                preparation.prepared.put(sql, new Prepared(futures.get(i).result(), known));
            }
        }
        return preparation;
    }

    /** Writes a whole flight. The future is complete when all of it was answered, or can't be any more. */
    CompletableFuture<Landing> send(Flight flight, List<Leg> legs) {
        Landing landing = new Landing(flight, legs);
        CompletableFuture<Landing> landed = new CompletableFuture<>();
        context.runOnContext(_ -> {
            inTheAir = new InTheAir(landing, landed);
            room = flight.mostRows();
            Countdown countdown = new Countdown(() -> {
                inTheAir = null;
                landed.complete(landing);
            });
            if (landing.isExplicit()) {
                writeTransaction(flight, legs, landing, countdown);
            } else {
                for (Leg leg : legs) {
                    if (write(leg, countdown).failed() && flight.isTransaction()) {
                        landing.turnBack();
                    }
                }
            }
            countdown.done();
        });
        return landed;
    }

    private void writeTransaction(Flight flight, List<Leg> legs, Landing landing, Countdown countdown) {
        var begin = connection.query(flight.begin()).execute();
        if (begin.failed()) {
            landing.turnBack(); // the connection is closed already: nothing of this can be written
        }
        countdown.await(begin, _ -> {});
        for (Leg leg : legs) {
            if (write(leg, countdown).failed()) {
                landing.turnBack();
                break;
            }
        }
        // Had a statement not been written, a COMMIT behind the others would apply a part of the flight
        boolean whole = legs.stream().noneMatch(leg -> leg.failure() != null);
        var end = connection.query(whole ? "COMMIT" : "ROLLBACK").execute();
        countdown.await(end, landing::endFailed);
    }

    private Future<?> write(Leg leg, Countdown countdown) {
        var answer = leg.send(() -> room-- > 0);
        countdown.add();
        answer.onComplete(result -> {
            if (result.succeeded()) {
                leg.succeed(result.result());
            } else {
                leg.fail(result.cause());
            }
            countdown.done();
        });
        return answer;
    }

    /** Counts what is still to come, on the event loop alone; begins with one for who writes. */
    private static final class Countdown {
        private final Runnable whenDone;
        private int left = 1;

        Countdown(Runnable whenDone) {
            this.whenDone = whenDone;
        }

        void add() {
            left++;
        }

        void await(Future<?> future, java.util.function.Consumer<Throwable> failed) {
            add();
            future.onComplete(result -> {
                if (result.failed()) {
                    failed.accept(result.cause());
                }
                done();
            });
        }

        void done() {
            if (--left == 0) {
                whenDone.run();
            }
        }
    }

    /** The driver reports here what no statement is told: the server's last words. */
    private void noticed(Throwable problem) {
        if (problem instanceof PgException said && inTheAir != null) {
            inTheAir.landing.farewell(Landing.text(said));
        }
    }

    /** Asks the server to cancel what it does for this connection, by a connection of its own. */
    void cancel() {
        connection.cancelRequest();
    }

    /** Whatever was answered up to now counts, and nothing that comes later. */
    void abandon() {
        context.runOnContext(_ -> {
            if (inTheAir != null) {
                inTheAir.landing.abandon();
                inTheAir.landed.complete(inTheAir.landing);
            }
        });
    }

    /** Returns at once; the future is complete when the connection is closed. */
    CompletableFuture<Void> close() {
        open = false;
        return connection.close().toCompletionStage().toCompletableFuture();
    }
}
