package dev.silkroute.app.web.read;

import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.component.MeterGroup;
import dev.silkroute.component.Metric;
import dev.silkroute.net.Hex;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests with the rows of a {@link Listing}: as JSON or, if the client accepts {@code application/x-ndjson},
 * as one JSON object per line. A small answer has an {@code ETag}; a large one is streamed, and an error in the middle
 * of it closes the connection. The number of concurrent queries and the time that each may take are bounded; beyond
 * these bounds the response is 503. Thread-safe; blocks the caller.
 */
@Singleton
final class Answers {
    static final String NDJSON = "application/x-ndjson";
    static final String FIELDS = "fields";
    static final long DEFAULT_LIMIT = 1_000;
    static final long MAX_LIMIT = 1_000_000;

    /** The parameters of every operation that returns pages. */
    private static final List<String> PAGING = List.of(FIELDS, "limit", "cursor");

    /** The same as {@code last_updated} of an envelope, for answers in any form; absent before anything was stored. */
    private static final String LAST_UPDATED_HEADER = "Silkroute-Last-Updated";

    /** Answers up to this size are complete before they are sent. */
    private static final int BUFFERED_CHARS = 1 << 16;

    private static final String LAST_UPDATED =
            "select to_json(to_timestamp(max(max_timestamp_ms) / 1000.0))#>>'{}' from bmp.lane_offset where lane = ?";

    private final DataSource database;
    private final UriInfo uri;
    private final HttpHeaders headers;
    private final Request request;
    private final OpenPage unfinished;
    private final Semaphore permits;
    private final int maxQueries;
    private final Duration timeout;
    private final Duration stallTimeout;

    @Inject
    Answers(
            DataSource database,
            UriInfo uri,
            HttpHeaders headers,
            Request request,
            OpenPage unfinished,
            MeterRegistry meters,
            StationConfig config) {
        this.database = database;
        this.uri = uri;
        this.headers = headers;
        this.request = request;
        this.unfinished = unfinished;
        maxQueries = config.http().maxQueries();
        timeout = config.http().queryTimeout();
        stallTimeout = config.http().stallTimeout();
        permits = new Semaphore(maxQueries);
        new MeterGroup<>(meters, permits).gauge(Metric.HTTP_QUERIES, free -> maxQueries - free.availablePermits());
    }

    /** Returns the parameters of the current request, which may have those named. */
    Parameters parameters(Collection<String> names) {
        return new Parameters(uri.getQueryParameters(), names);
    }

    /** Returns the parameters of the current request, which may have those named and those for paging. */
    Parameters pageParameters(Collection<String> names) {
        Set<String> all = new HashSet<>(names);
        all.addAll(PAGING);
        return parameters(all);
    }

    /** Answers with a page of a listing in an envelope. */
    Response page(Listing listing, Parameters parameters) throws SQLException {
        return answer(listing, parameters, parameters.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT), Page.Form.ENVELOPE);
    }

    /** Answers with a whole listing as an array. */
    Response all(Listing listing, Parameters parameters) throws SQLException {
        return answer(listing, parameters, -1, Page.Form.ARRAY);
    }

    private Response answer(Listing listing, Parameters parameters, long limit, Page.Form form) throws SQLException {
        var fields = listing.fields(parameters.text(FIELDS));
        var cursor = Cursor.decode(parameters.text("cursor"), listing.keys().size());
        var queries = listing.page(fields, cursor, limit < 0 ? limit : limit + 1);
        boolean lines = acceptsLines();
        var type = lines ? NDJSON : MediaType.APPLICATION_JSON;
        return send(open(queries, lines ? Page.Form.LINES : form, null, limit), type);
    }

    /**
     * Answers with all rows of a query as the last member of an object, an array.
     *
     * @param query the rows as JSON in its first column; its second is ignored
     * @param start the object up to the bracket that opens the array
     */
    Response member(SqlQuery query, String start) throws SQLException {
        return send(open(PageQueries.of(List.of(query)), Page.Form.ENVELOPE, start, -1), MediaType.APPLICATION_JSON);
    }

    /** Returns the only row of a query, whose columns are as in {@link #member}; null without a row. */
    @Nullable
    String one(SqlQuery query) throws SQLException {
        try (var page = open(PageQueries.of(List.of(query)), Page.Form.LINES, null, -1)) {
            var buffer = new ByteArrayOutputStream();
            page.write(buffer, Long.MAX_VALUE);
            var row = buffer.toString(StandardCharsets.UTF_8).strip();
            return row.isEmpty() ? null : row;
        } catch (SQLException | IOException | RuntimeException e) {
            throw problem(e);
        }
    }

    private Response send(Page page, String type) throws SQLException {
        boolean complete = false;
        try {
            var buffer = new ByteArrayOutputStream();
            complete = page.write(buffer, BUFFERED_CHARS);
            if (complete) {
                page.close();
                return complete(buffer.toByteArray(), type, page.lastUpdated()).build();
            }
            StreamingOutput rest = out -> unfinished.send(buffer, out, BUFFERED_CHARS);
            var response = dated(Response.ok(rest, type), page.lastUpdated()).build();
            unfinished.hold(page);
            return response;
        } catch (SQLException | IOException | RuntimeException e) {
            if (!complete) {
                page.close();
            }
            throw problem(e);
        }
    }

    /**
     * Returns a response with a tag, or with status 304 if the client has this body already.
     *
     * @param lastUpdated until when the current state includes what routers have sent, or null
     */
    Response.ResponseBuilder complete(byte[] body, String type, @Nullable String lastUpdated) {
        var tag = new EntityTag(hash(body));
        var unchanged = request.evaluatePreconditions(tag);
        return dated((unchanged == null ? Response.ok(body, type) : unchanged).tag(tag), lastUpdated);
    }

    private static Response.ResponseBuilder dated(Response.ResponseBuilder response, @Nullable String lastUpdated) {
        return lastUpdated == null ? response : response.header(LAST_UPDATED_HEADER, lastUpdated);
    }

    private static String hash(byte[] body) {
        try {
            return Hex.of(MessageDigest.getInstance("SHA-256").digest(body), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns whether the client prefers lines to a JSON document. */
    boolean acceptsLines() {
        var types = headers.getAcceptableMediaTypes().stream()
                .map(type -> type.getType() + "/" + type.getSubtype())
                .toList();
        int lines = types.indexOf(NDJSON);
        int json = types.indexOf(MediaType.APPLICATION_JSON);
        return lines >= 0 && (json < 0 || lines < json);
    }

    /** @param start what precedes the rows of an envelope; null for the API's own */
    private Page open(PageQueries queries, Page.Form form, @Nullable String start, long limit) throws SQLException {
        if (!permits.tryAcquire()) {
            throw new ProblemException(
                    ProblemType.RETRY_LATER,
                    "Too many concurrent queries; retry later (silkroute.http.max-queries is " + maxQueries + ")");
        }
        Connection connection = null;
        try {
            connection = database.getConnection();
            return open(connection, queries, form, start, limit);
        } catch (SQLException | RuntimeException e) {
            permits.release();
            if (connection != null) {
                connection.close();
            }
            throw problem(e);
        }
    }

    private Page open(Connection connection, PageQueries queries, Page.Form form, @Nullable String start, long limit)
            throws SQLException {
        // The driver fetches rows in batches only inside a transaction.
        connection.setAutoCommit(false);
        try (var settings = connection.createStatement()) {
            // A client that does not read its answer must not hold a snapshot of the database for long.
            settings.execute("set transaction read only; set local time zone 'UTC'; set local jit = off;"
                    + " set local work_mem = '32MB'; set local idle_in_transaction_session_timeout = "
                    + stallTimeout.toMillis() + "; set local statement_timeout = " + timeout.toMillis());
        }
        return new Page(connection, queries, form, start, lastUpdated(connection), limit, permits::release);
    }

    /** Returns until when the current state includes what routers have sent; null before anything was stored. */
    private static @Nullable String lastUpdated(Connection connection) throws SQLException {
        try (var statement = new SqlQuery().add(LAST_UPDATED, "current").prepare(connection);
                var row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    private RuntimeException problem(Exception failure) throws SQLException {
        if (!(failure instanceof SQLException e)) {
            return failure instanceof RuntimeException r ? r : new IllegalStateException(failure);
        }
        var state = String.valueOf(e.getSQLState());
        var detail = detail(e);
        switch (state) {
            case "57014":
                return new ProblemException(
                        ProblemType.TIMEOUT,
                        "The query took longer than " + timeout.toMillis()
                                + " ms (silkroute.http.query-timeout); narrow it by more parameters",
                        e);
            case "22023": // raised by the station's own functions
                return new ProblemException(
                        detail.startsWith("the history begins")
                                ? ProblemType.BEFORE_HISTORY
                                : ProblemType.INVALID_PARAMETER,
                        detail,
                        e);
            default:
                if (state.startsWith("22")) { // all other values have been checked
                    throw Cursor.invalid();
                }
                throw e;
        }
    }

    private static String detail(SQLException e) {
        var message = e instanceof org.postgresql.util.PSQLException p ? p.getServerErrorMessage() : null;
        String text = message == null ? null : message.getMessage();
        return text == null ? String.valueOf(e.getMessage()) : text;
    }
}
