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
 * Statements that go to PostgreSQL together: all of them are written before the first answer is waited for. They are one
 * transaction, unless the flight is made of {@linkplain PipelinePool#independent() independent} statements. It is sent
 * once. Not thread-safe.
 *
 * <pre>{@code
 * Flight flight = pool.transaction().set("silkroute.tenant", "acme").statementTimeout(Duration.ofSeconds(2));
 * Answer routers = flight.add("SELECT router, state FROM bmp.v_routers");
 * Answer routes = flight.add("SELECT count(*) FROM bmp.v_rib WHERE origin_asn = $1", 64500L);
 * flight.send();
 * long count = routes.row().number(0);
 * }</pre>
 */
public final class Flight {
    private static final int SHOWN = 120;

    /** What a statement takes up besides its parameters, about. */
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

    /** A statement with its parameters and the answer to come. */
    record Enqueued(Answer answer, List<@Nullable Object> parameters) {
        String sql() {
            return answer.sql();
        }
    }

    Flight(PipelinePool pool, PipelineLimits limits, boolean transaction) {
        this.pool = pool;
        this.limits = limits;
        this.transaction = transaction;
        limit = limits.flight();
    }

    /** A setting for this transaction alone, as {@code SET LOCAL}. */
    public Flight set(String setting, String value) {
        onlyOfTransaction("a setting");
        settings.put(setting, value);
        return this;
    }

    /** The role whose rights count in this transaction, as {@code SET LOCAL ROLE}. */
    public Flight role(String name) {
        onlyOfTransaction("a role");
        role = name;
        return this;
    }

    /** PostgreSQL ends a statement, and the transaction with it, that takes longer. */
    public Flight statementTimeout(Duration timeout) {
        return set("statement_timeout", timeout.toMillis() + "ms");
    }

    /** The transaction sees one state of the database and changes nothing. */
    public Flight readOnly() {
        onlyOfTransaction("read only");
        readOnly = true;
        return this;
    }

    /** How long the whole flight may take before it is cancelled. */
    public Flight limit(Duration duration) {
        limit = duration;
        return this;
    }

    private void onlyOfTransaction(String what) {
        if (!transaction) {
            throw new IllegalStateException(what + " is of a transaction: these statements are independent");
        }
    }

    /**
     * Enqueues a statement.
     *
     * @param sql one statement, its parameters as {@code $1}, {@code $2}, …
     * @throws IllegalArgumentException if it can't be part of a flight
     * @throws IllegalStateException if the flight is full, or was sent
     */
    public Answer add(String sql, @Nullable Object... parameters) {
        return add(sql, Arrays.asList(parameters));
    }

    public Answer add(String sql, List<@Nullable Object> parameters) {
        if (sent) {
            throw new IllegalStateException("a flight is sent once");
        }
        FirstWord.check(sql);
        if (statements.size() == limits.statements()) {
            throw new IllegalStateException("a flight takes " + limits.statements() + " statements");
        }
        bytes += OVERHEAD;
        parameters.forEach(parameter -> bytes += size(parameter));
        if (bytes > limits.bytes()) {
            throw new IllegalStateException("a flight takes " + limits.bytes() + " bytes of parameters");
        }
        Answer answer = new Answer(statements.size(), sql);
        statements.add(new Enqueued(answer, parameters));
        return answer;
    }

    /**
     * Sends all statements at once and waits for all answers. If the thread is interrupted meanwhile, the flight is
     * cancelled; if it comes to its end nevertheless, so does this call, with the thread interrupted still.
     *
     * @return the answers in the order of the statements. Of independent statements each may have
     *     {@linkplain Answer#failure() failed} by itself
     * @throws FlightException if the transaction failed, or the connection was lost
     */
    public List<Answer> send() throws FlightException {
        if (sent) {
            throw new IllegalStateException("a flight is sent once");
        }
        sent = true;
        if (!statements.isEmpty()) {
            pool.send(this);
        }
        return statements.stream().map(Enqueued::answer).toList();
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

    long mostRows() {
        return limits.rows();
    }

    List<Enqueued> statements() {
        return statements;
    }

    /** The statement that begins the transaction. */
    String begin() {
        return readOnly ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN";
    }

    /** Settings in the order in which they are made: the role last, for it may not be allowed to make the others. */
    Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (role != null) {
            all.put("role", role);
        }
        return all;
    }

    static String shortened(String sql) {
        String line = sql.strip().replaceAll("\\s+", " ");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }

    private static long size(@Nullable Object parameter) {
        return switch (parameter) {
            case CharSequence text -> text.length();
            case byte[] array -> array.length;
            case Collection<?> values -> values.stream().mapToLong(Flight::size).sum();
            case Object[] values ->
                Arrays.stream(values).mapToLong(Flight::size).sum();
            case Map<?, ?> values ->
                values.values().stream().mapToLong(Flight::size).sum();
            case Object array when array.getClass().isArray() -> (long) Array.getLength(array) * Long.BYTES;
            case null, default -> Long.BYTES;
        };
    }
}
