package dev.silkroute.component.pgcopy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.postgres.lane.LanePosition;
import dev.silkroute.postgres.lane.LaneStoppedException;
import dev.silkroute.postgres.lane.PositionedRecord;
import dev.silkroute.postgres.lane.RowSource;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.apache.camel.CamelContext;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a batch that waits for a database that is unavailable, when the application stops. */
class PgCopyStopTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger behind = new AtomicInteger();
    private final CamelContext camel = new DefaultCamelContext();

    /** A record's place, as a Kafka consumer gives it along. */
    private record At(LanePosition position) implements PositionedRecord {
        @Override
        public void stored(List<? extends PositionedRecord> batch) {
            throw new AssertionError("nothing is stored");
        }
    }

    @BeforeEach
    void start() throws Exception {
        camel.getRegistry()
                .bind(
                        "database",
                        DataSource.class,
                        Proxy.newProxyInstance(
                                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, _) -> {
                                    if (!method.getName().equals("getConnection")) {
                                        return method.getReturnType() == int.class ? 0 : null;
                                    }
                                    asked.incrementAndGet();
                                    throw new SQLException("the database is unavailable", "08006");
                                }));
        camel.getRegistry().bind("rows", RowSource.of(String.class, _ -> (_, _) -> {
            throw new AssertionError("there is no connection");
        }));
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                from("direct:in").to("pgcopy:line?lane=lines&rows=#rows").process(_ -> behind.incrementAndGet());
            }
        });
        camel.start();
    }

    @AfterEach
    void stop() {
        camel.stop();
    }

    private Exchange stopWhileItWaits(@Nullable PositionedRecord position) throws Exception {
        ProducerTemplate template = camel.createProducerTemplate();
        Future<Exchange> sent = CompletableFuture.supplyAsync(() -> template.request("direct:in", exchange -> {
            exchange.getMessage().setBody("1");
            exchange.getMessage().setHeader(PgCopyConstants.POSITION, position);
        }));
        await().until(() -> asked.get() > 0);
        assertThat(sent.isDone()).isFalse();
        camel.stop();
        return sent.get(20, TimeUnit.SECONDS);
    }

    @Test
    void givenABatchThatWaitsWhenTheApplicationStopsThenItEndsWithoutAnErrorAndNothingTakesItForStored()
            throws Exception {
        Exchange exchange = stopWhileItWaits(new At(new LanePosition("lines", LanePosition.UNKNOWN_TOPIC, 0, 7, 7)));

        assertThat(exchange.getException()).isNull();
        assertThat(exchange.getMessage().getHeader(PgCopyConstants.ROWS)).isNull();
        assertThat(behind).hasValue(0);
    }

    @Test
    void givenRecordsThatNobodyReadsAgainWhenTheApplicationStopsThenTheExchangeFails() throws Exception {
        Exchange exchange = stopWhileItWaits(null);

        assertThat(exchange.getException()).isInstanceOf(LaneStoppedException.class);
        assertThat(behind).hasValue(0);
    }
}
