package dev.silkroute.component.pgpipe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.fixture.TestPostgres;
import dev.silkroute.postgres.pipeline.PipelineException;
import dev.silkroute.postgres.pipeline.PipelineOutcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.camel.CamelExecutionException;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.impl.DefaultCamelContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The component in a Camel application that has nothing of this product's besides. */
class PgPipeIT {
    private final DataSource database = TestPostgres.database();
    private final DefaultCamelContext camel = new DefaultCamelContext();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private ProducerTemplate template;

    @BeforeEach
    void start() throws Exception {
        try (var connection = database.getConnection()) {
            connection.createStatement().execute("CREATE TABLE line (id bigint PRIMARY KEY, word text)");
        }
        camel.getRegistry().bind("meters", meters);
        PgPipeComponent component = new PgPipeComponent();
        component.setUrl(TestPostgres.url(database));
        camel.addComponent("pgpipe", component);
        camel.start();
        template = camel.createProducerTemplate();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private Exchange send(String uri, Object body, Map<String, Object> headers) {
        Exchange exchange = template.request(uri, sent -> {
            sent.getMessage().setBody(body);
            sent.getMessage().setHeaders(new java.util.HashMap<>(headers));
        });
        if (exchange.getException() != null) {
            throw new CamelExecutionException("failed", exchange, exchange.getException());
        }
        return exchange;
    }

    private List<String> lines() throws Exception {
        return TestPostgres.query(database, "SELECT id, word FROM line ORDER BY id");
    }

    @Test
    void parametersAreOfTheBodyOrTheHeaders() throws Exception {
        Map<String, Object> body = Map.of("id", 1);

        Exchange exchange = send("pgpipe:INSERT INTO line VALUES (:#id, :#word)", body, Map.of("word", "one", "id", 9));

        assertThat(lines()).containsExactly("1|one");
        assertThat(exchange.getMessage().getBody()).isEqualTo(body);
        assertThat(exchange.getMessage().getHeader(PgPipeConstants.UPDATE_COUNT))
                .isEqualTo(1L);
    }

    @Test
    void severalStatementsAreOneTransaction() throws Exception {
        Exchange exchange = send(
                "pgpipe:INSERT INTO line VALUES (:#id, 'a;b'); SELECT word, id FROM line; SELECT count(*) FROM line",
                null,
                Map.of("id", 1));

        assertThat(exchange.getMessage().getBody())
                .isEqualTo(List.of(1L, List.of(Map.of("word", "a;b", "id", 1L)), List.of(Map.of("count", 1L))));
        assertThat(exchange.getMessage().getHeader(PgPipeConstants.ROW_COUNT)).isEqualTo(2L);

        assertThatThrownBy(() -> send(
                        "pgpipe:INSERT INTO line VALUES (2, 'two'); INSERT INTO line VALUES (:#id, 'again')",
                        null,
                        Map.of("id", 1)))
                .cause()
                .isInstanceOfSatisfying(PipelineException.class, failure -> {
                    assertThat(failure.outcome()).isEqualTo(PipelineOutcome.NOTHING_APPLIED);
                    assertThat(failure.statement()).isEqualTo(1);
                });
        assertThat(lines()).containsExactly("1|a;b");
    }

    @Test
    void aBatchIsOnePipeline() throws Exception {
        List<Map<String, Object>> body = IntStream.range(0, 500)
                .mapToObj(i -> Map.<String, Object>of("id", i, "word", "w" + i))
                .toList();

        Exchange exchange =
                send("pgpipe:INSERT INTO line VALUES (:#id, upper(:#${body[word]}))?batch=true", body, Map.of());

        assertThat(lines()).hasSize(500).contains("499|W499");
        assertThat(exchange.getMessage().getHeader(PgPipeConstants.UPDATE_COUNT))
                .isEqualTo(500L);
        assertThat(exchange.getMessage().getBody()).isEqualTo(body);
        assertThat(meters.get("silkroute.pgpipe.pipeline.duration.seconds")
                        .functionTimer()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("silkroute.pgpipe.statements").functionCounter().count())
                .isEqualTo(500);
    }

    @Test
    void independentStatementsAreAllExecutedAndTheExchangeFails() throws Exception {
        List<Map<String, Object>> body = List.of(Map.of("id", 1), Map.of("id", 1), Map.of("id", 2));

        assertThatThrownBy(() ->
                        send("pgpipe:INSERT INTO line VALUES (:#id, 'x')?batch=true&transaction=false", body, Map.of()))
                .cause()
                .hasMessageContaining("statement 2 of 3");

        assertThat(lines()).containsExactly("1|x", "2|x");
    }

    @Test
    void oneRowIsAMapOrAValue() {
        assertThat(template.requestBody("pgpipe:SELECT 7 AS n?outputType=SelectOne", (Object) null))
                .isEqualTo(7);
        assertThat(template.requestBody("pgpipe:SELECT 7 AS n, 'x' AS t?outputType=SelectOne", (Object) null))
                .isEqualTo(Map.of("n", 7, "t", "x"));
        assertThat(template.requestBody("pgpipe:SELECT id FROM line?outputType=SelectOne", (Object) null))
                .isNull();
        assertThatThrownBy(() ->
                        template.requestBody("pgpipe:SELECT generate_series(1, 2)?outputType=SelectOne", (Object) null))
                .cause()
                .hasMessageContaining("expected one row, got 2");
    }

    @Test
    void theResultMayGoToAHeader() {
        Exchange exchange = send("pgpipe:SELECT 7 AS n?outputType=SelectOne&outputHeader=n", "as it was", Map.of());

        assertThat(exchange.getMessage().getBody()).isEqualTo("as it was");
        assertThat(exchange.getMessage().getHeader("n")).isEqualTo(7);
    }

    @Test
    void theStatementsMayBeTheBody() {
        Exchange exchange = send(
                "pgpipe:any?useMessageBodyForSql=true&outputType=SelectOne",
                List.of("SELECT :#a::int + 1", "SELECT :#a::int + 2; SELECT 5"),
                Map.of("a", 1));

        assertThat(exchange.getMessage().getBody()).isEqualTo(List.of(2, 3, 5));
    }

    @Test
    void settingsAreOfTheEndpointAndTheMessage() {
        String uri = "pgpipe:SELECT current_setting('silkroute.tenant') AS tenant, current_setting('my.other') AS other"
                + "?setting.silkroute.tenant=acme&setting.my.other=x&outputType=SelectOne";

        assertThat(send(uri, null, Map.of()).getMessage().getBody()).isEqualTo(Map.of("tenant", "acme", "other", "x"));
        assertThat(send(uri, null, Map.of(PgPipeConstants.SETTINGS, Map.of("silkroute.tenant", "globex")))
                        .getMessage()
                        .getBody())
                .isEqualTo(Map.of("tenant", "globex", "other", "x"));
    }

    @Test
    void readOnlyIs() {
        assertThatThrownBy(() -> send("pgpipe:INSERT INTO line VALUES (1, 'x')?readOnly=true", null, Map.of()))
                .cause()
                .hasMessageContaining("read-only transaction");
    }

    @Test
    void aMissingParameterIsNamed() {
        assertThatThrownBy(() -> send("pgpipe:SELECT :#nowhere::int", "text", Map.of()))
                .cause()
                .hasMessageContaining("no value for parameter :#nowhere");
    }

    @Test
    void statementsMayBeInAFile() {
        assertThat(template.requestBody(
                        "pgpipe:classpath:pgpipe/two.sql?outputType=SelectOne", (Object) Map.of("a", 40)))
                .isEqualTo(List.of(41, 42));
    }

    @Test
    void whatIsOfATransactionNeedsOne() {
        assertThatThrownBy(() -> send("pgpipe:SELECT 1?transaction=false&role=x", null, Map.of()))
                .hasRootCauseMessage("role, settings, statementTimeout and readOnly require a transaction");
    }
}
