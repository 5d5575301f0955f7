package dev.silkroute.postgres.pipeline;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Statements that are sent to PostgreSQL together: all of them are written before the first result is awaited. They
 * form one transaction, unless the pipeline is created for {@linkplain PipelinePool#independent() independent}
 * statements. A pipeline is sent once. Not thread-safe.
 *
 * <pre>{@code
 * Pipeline pipeline = pool.transaction().set("silkroute.tenant", "acme").statementTimeout(Duration.ofSeconds(2));
 * StatementResult routers = pipeline.add("SELECT router, state FROM bmp.v_routers");
 * StatementResult routes = pipeline.add("SELECT count(*) FROM bmp.v_rib WHERE origin_asn = $1", 64500L);
 * pipeline.send();
 * long count = routes.row().number(0);
 * }</pre>
 */
public final class Pipeline {
    private static final int MAX_SHOWN_LENGTH = 120;

    /** The approximate size of a statement without its parameters, in bytes. */
    private static final long OVERHEAD = 64;

    private final PipelinePool pool;
    private final boolean transaction;
    private final PipelineLimits limits;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<Enqueued> statements = new ArrayList<>();
    private Duration limit;
    private @Nullable String role;
    private boolean readOnly;
    private boolean sent;
    private long bytes;

    /** A statement with its parameters and the result that it will have. */
    record Enqueued(StatementResult result, List<@Nullable Object> parameters) {
        String sql() {
            return result.sql();
        }
    }

    Pipeline(PipelinePool pool, PipelineLimits limits, boolean transaction) {
        this.pool = pool;
        this.limits = limits;
        this.transaction = transaction;
        limit = limits.timeout();
    }

    /** Sets a configuration parameter for this transaction, as {@code SET LOCAL}. */
    public Pipeline set(String setting, String value) {
        requireTransaction("a setting");
        settings.put(setting, value);
        return this;
    }

    /** Sets the role of this transaction, as {@code SET LOCAL ROLE}. */
    public Pipeline role(String name) {
        requireTransaction("a role");
        role = name;
        return this;
    }

    /** Limits the duration of each statement; PostgreSQL cancels a longer one, and with it the transaction. */
    public Pipeline statementTimeout(Duration timeout) {
        return set("statement_timeout", timeout.toMillis() + "ms");
    }

    /** Makes the transaction read only, with one snapshot of the database for all statements. */
    public Pipeline readOnly() {
        requireTransaction("read only");
        readOnly = true;
        return this;
    }

    /** Limits the duration of the whole pipeline, after which it is cancelled. */
    public Pipeline limit(Duration duration) {
        limit = duration;
        return this;
    }

    private void requireTransaction(String what) {
        if (!transaction) {
            throw new IllegalStateException(what + " requires a transaction, but these statements are independent");
        }
    }

    /**
     * Enqueues a statement.
     *
     * @param sql one statement, its parameters as {@code $1}, {@code $2}, …
     * @throws IllegalArgumentException if it cannot be part of a pipeline
     * @throws IllegalStateException if the pipeline is full, or has been sent
     */
    public StatementResult add(String sql, @Nullable Object... parameters) {
        return add(sql, Arrays.asList(parameters));
    }

    public StatementResult add(String sql, List<@Nullable Object> parameters) {
        if (sent) {
            throw new IllegalStateException("a pipeline is sent once");
        }
        FirstWord.check(sql);
        if (statements.size() == limits.statements()) {
            throw new IllegalStateException("a pipeline accepts at most " + limits.statements() + " statements");
        }
        bytes += OVERHEAD;
        parameters.forEach(parameter -> bytes += size(parameter));
        if (bytes > limits.bytes()) {
            throw new IllegalStateException("a pipeline accepts at most " + limits.bytes() + " bytes of parameters");
        }
        StatementResult result = new StatementResult(statements.size(), sql);
        statements.add(new Enqueued(result, parameters));
        return result;
    }

    /**
     * Sends all statements at once and waits for all results. If the thread is interrupted meanwhile, the pipeline is
     * cancelled; if it completes nevertheless, this method returns normally with the thread still interrupted.
     *
     * @return the results in the order of the statements. Each of several independent statements may have
     *     {@linkplain StatementResult#failure() failed} by itself
     * @throws PipelineException if the transaction failed, or the connection was lost
     */
    public List<StatementResult> send() throws PipelineException {
        if (sent) {
            throw new IllegalStateException("a pipeline is sent once");
        }
        sent = true;
        if (!statements.isEmpty()) {
            pool.send(this);
        }
        return statements.stream().map(Enqueued::result).toList();
    }

    boolean isTransaction() {
        return transaction;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    Duration limit() {
        return limit;
    }

    long maxRows() {
        return limits.rows();
    }

    List<Enqueued> statements() {
        return statements;
    }

    /** Returns the statement that begins the transaction. */
    String begin() {
        return readOnly ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN";
    }

    /**
     * Returns the settings in the order in which they are applied: the role last, because it may lack the privilege to
     * set others.
     */
    Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (role != null) {
            all.put("role", role);
        }
        return all;
    }

    static String shortened(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        return line.length() <= MAX_SHOWN_LENGTH ? line : line.substring(0, MAX_SHOWN_LENGTH) + "…";
    }

    private static long size(@Nullable Object parameter) {
        return switch (parameter) {
            case CharSequence text -> text.length();
            case byte[] array -> array.length;
            case Collection<?> values ->
                values.stream().mapToLong(Pipeline::size).sum();
            case Object[] values ->
                Arrays.stream(values).mapToLong(Pipeline::size).sum();
            case Map<?, ?> values ->
                values.values().stream().mapToLong(Pipeline::size).sum();
            case Object array when array.getClass().isArray() -> (long) Array.getLength(array) * Long.BYTES;
            case null, default -> Long.BYTES;
        };
    }
}
