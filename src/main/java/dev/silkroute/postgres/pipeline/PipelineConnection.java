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
 * One connection. Its event loop writes a whole pipeline in one iteration, so nothing else can come between the
 * statements. It belongs to the thread that has taken it from the pool.
 */
final class PipelineConnection {
    /** Queries the parameter types of prepared statements, which the driver does not expose. */
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
    private @Nullable InProgress inProgress;
    private long room;

    /** A pipeline that has not completed yet. */
    private record InProgress(PipelineResult result, CompletableFuture<PipelineResult> completed) {}

    private PipelineConnection(Context context, PgConnection connection, PreparedStatement types, int prepared) {
        this.context = context;
        this.connection = connection;
        this.types = types;
        statements = new PreparedStatements(prepared);
        FlushConsolidation.of(connection);
        connection.closeHandler(_ -> open = false);
        connection.exceptionHandler(this::onNotice);
    }

    static CompletableFuture<PipelineConnection> open(Vertx vertx, PgConnectOptions options, int prepared) {
        CompletableFuture<PipelineConnection> opened = new CompletableFuture<>();
        // A new thread has no Vert.x context and gets a new one: the connection must not be bound to the context of a
        // web request.
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
                        result.result().close(); // the caller has timed out
                    }
                }));
    }

    boolean isOpen() {
        return open;
    }

    PreparedStatements statements() {
        return statements;
    }

    /** Prepares statements in one round trip. */
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

    /** Prepared statements, and those that PostgreSQL rejected, by their SQL. */
    record Preparation(Map<String, PreparedSql> prepared, Map<String, Throwable> rejected) {}

    private static Preparation preparation(
            List<String> sqls, List<Future<PreparedStatement>> futures, Iterable<Row> rows) {
        Map<String, List<String>> typesOf = new HashMap<>();
        rows.forEach(row -> typesOf.put(row.getString(0), List.of(row.getArrayOfStrings(1))));
        Preparation preparation = new Preparation(new HashMap<>(), new HashMap<>());
        for (int i = 0; i < sqls.size(); i++) {
            String sql = sqls.get(i);
            List<String> known = typesOf.get(sql);
            if (futures.get(i).failed()) {
                preparation.rejected.put(sql, futures.get(i).cause());
            } else if (known == null) {
                // The driver would prepare it later from the Java classes of its parameters, out of order.
                preparation.rejected.put(
                        sql,
                        new IllegalArgumentException(
                                "PostgreSQL cannot infer the type of a parameter: specify it, as in $1::bigint"));
            } else {
                preparation.prepared.put(sql, new PreparedSql(futures.get(i).result(), known));
            }
        }
        return preparation;
    }

    /** Writes a whole pipeline. The future completes when all responses have arrived or the connection is lost. */
    CompletableFuture<PipelineResult> send(Pipeline pipeline, List<StatementBatch> batches) {
        PipelineResult result = new PipelineResult(pipeline, batches);
        CompletableFuture<PipelineResult> completed = new CompletableFuture<>();
        context.runOnContext(_ -> {
            inProgress = new InProgress(result, completed);
            room = pipeline.maxRows();
            Countdown countdown = new Countdown(() -> {
                inProgress = null;
                completed.complete(result);
            });
            if (result.isExplicit()) {
                writeTransaction(pipeline, batches, result, countdown);
            } else {
                for (StatementBatch batch : batches) {
                    if (write(batch, countdown).failed() && pipeline.isTransaction()) {
                        result.abort();
                    }
                }
            }
            countdown.done();
        });
        return completed;
    }

    private void writeTransaction(
            Pipeline pipeline, List<StatementBatch> batches, PipelineResult result, Countdown countdown) {
        var begin = connection.query(pipeline.begin()).execute();
        if (begin.failed()) {
            result.abort(); // the connection is already closed, so nothing can be written
        }
        countdown.await(begin, _ -> {});
        for (StatementBatch batch : batches) {
            if (write(batch, countdown).failed()) {
                result.abort();
                break;
            }
        }
        // If a statement was not written, a COMMIT after the others would apply a part of the pipeline.
        boolean whole = batches.stream().noneMatch(batch -> batch.failure() != null);
        var end = connection.query(whole ? "COMMIT" : "ROLLBACK").execute();
        countdown.await(end, result::endFailed);
    }

    private Future<?> write(StatementBatch batch, Countdown countdown) {
        var answer = batch.send(() -> room-- > 0);
        countdown.add();
        answer.onComplete(result -> {
            if (result.succeeded()) {
                batch.succeed(result.result());
            } else {
                batch.fail(result.cause());
            }
            countdown.done();
        });
        return answer;
    }

    /** Counts outstanding responses, on the event loop only. It starts at one for the writer. */
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

    /** Called for errors that belong to no statement, such as the message with which the server ends a session. */
    private void onNotice(Throwable problem) {
        if (problem instanceof PgException error && inProgress != null) {
            inProgress.result.sessionEnded(PipelineResult.text(error));
        }
    }

    /** Sends a cancel request for this connection, over a separate connection. */
    void cancel() {
        connection.cancelRequest();
    }

    /** Completes the pipeline in progress with the responses received so far. */
    void abandon() {
        context.runOnContext(_ -> {
            if (inProgress != null) {
                inProgress.result.abandon();
                inProgress.completed.complete(inProgress.result);
            }
        });
    }

    /** Closes the connection without waiting; the future completes when it is closed. */
    CompletableFuture<Void> close() {
        open = false;
        return connection.close().toCompletionStage().toCompletableFuture();
    }
}
