package dev.silkroute.perf.forget;

import dev.silkroute.component.nettyff.NettyFfEndpoint;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.camel.AsyncProducer;
import org.apache.camel.CamelContext;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.ProducerTemplate;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.netty.ClientInitializerFactory;
import org.apache.camel.component.netty.DefaultClientInitializerFactory;
import org.apache.camel.component.netty.NettyProducer;
import org.apache.camel.impl.DefaultCamelContext;
import org.jspecify.annotations.Nullable;

/**
 * A route {@code direct:in} to one endpoint, and a ProducerTemplate before it. No error handler, no JMX, so that what
 * is measured is the exchange and the endpoint.
 */
class CamelSender implements Sender {
    private static final String STOCK =
            "netty:tcp://127.0.0.1:%d?sync=false&allowDefaultCodec=false&useByteBuf=true&workerCount=1";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final CamelContext camel = new DefaultCamelContext();
    final Endpoint in;
    private final ProducerTemplate template;
    private final boolean joined;
    private byte[][] lastBatch = {};
    private byte[] lastJoined = {};

    /** @param joined whether a batch is one byte array; else it is a list of them */
    private CamelSender(String uri, boolean joined) throws Exception {
        this.joined = joined;
        camel.disableJMX();
        camel.getRegistry().bind("consolidating", new Consolidating(null));
        camel.addRoutes(new RouteBuilder() {
            @Override
            public void configure() {
                errorHandler(noErrorHandler());
                if (uri.isEmpty()) {
                    from("direct:in").process(_ -> {});
                } else {
                    from("direct:in").to(uri);
                }
            }
        });
        camel.start();
        in = camel.getEndpoint("direct:in");
        template = camel.createProducerTemplate();
    }

    /** camel-netty as it comes: a pool of connections. */
    static Sender stock(int port) throws Exception {
        return new CamelSender(STOCK.formatted(port), true);
    }

    /** A sender with one connection, as a BMP session requires it. */
    static Sender stockSingle(int port) throws Exception {
        return new CamelSender(STOCK.formatted(port) + "&producerPoolEnabled=false", true);
    }

    /** The best that can be had of camel-netty without changing it. */
    static Sender stockAsync(int port) throws Exception {
        return new Async(STOCK.formatted(port) + "&producerPoolEnabled=false&clientInitializerFactory=#consolidating");
    }

    static Sender nettyFf(int port) throws Exception {
        String uri = "netty-ff:tcp://127.0.0.1:" + port;
        return new CamelSender(uri, false) {
            @Override
            public void flush() throws Exception {
                if (!camel.getEndpoint(uri, NettyFfEndpoint.class).flush(PATIENCE)) {
                    throw new IllegalStateException("not written in time");
                }
            }
        };
    }

    /** A sender to a no-op, which shows the cost of an exchange. */
    static Sender noOp(int port) throws Exception {
        return new CamelSender("", false);
    }

    @Override
    public void send(byte[][] messages) throws Exception {
        template.sendBody(in, body(messages));
    }

    private Object body(byte[][] messages) {
        if (messages.length == 1) {
            return messages[0];
        }
        return joined ? join(messages) : Arrays.asList(messages);
    }

    /** The same batch again is joined once. */
    private byte[] join(byte[][] messages) {
        if (messages != lastBatch) {
            byte[] all = new byte[messages.length * messages[0].length];
            for (int i = 0; i < messages.length; i++) {
                System.arraycopy(messages[i], 0, all, i * messages[0].length, messages[0].length);
            }
            lastBatch = messages;
            lastJoined = all;
        }
        return lastJoined;
    }

    @Override
    public void flush() throws Exception {}

    @Override
    public void close() {
        camel.stop();
    }

    /** Sends without waiting for the previous exchange, unless too many are pending. */
    private static final class Async extends CamelSender {
        private static final int MAX_PENDING = 1024;

        private final AsyncProducer producer;
        private final Semaphore room = new Semaphore(MAX_PENDING);
        private volatile List<Throwable> failures = List.of();

        Async(String uri) throws Exception {
            super(uri, true);
            producer = in.createAsyncProducer();
            producer.start();
        }

        @Override
        public void send(byte[][] messages) throws Exception {
            room.acquire();
            Exchange exchange = in.createExchange();
            exchange.getIn().setBody(messages[0]);
            producer.process(exchange, _ -> {
                if (exchange.getException() != null) {
                    failures = List.of(exchange.getException());
                }
                room.release();
            });
        }

        @Override
        public void flush() throws Exception {
            room.acquire(MAX_PENDING);
            room.release(MAX_PENDING);
            if (!failures.isEmpty()) {
                throw new IllegalStateException(failures.getFirst());
            }
        }

        @Override
        public void close() {
            producer.stop();
            super.close();
        }
    }

    /** camel-netty's own pipeline with Netty's handler before it that joins flushes. */
    private static final class Consolidating extends ClientInitializerFactory {
        private final @Nullable NettyProducer producer;

        Consolidating(@Nullable NettyProducer producer) {
            this.producer = producer;
        }

        @Override
        public ClientInitializerFactory createPipelineFactory(NettyProducer to) {
            return new Consolidating(to);
        }

        @Override
        protected void initChannel(Channel channel) {
            channel.pipeline().addLast(new DefaultClientInitializerFactory(producer));
            channel.pipeline().addFirst(new FlushConsolidationHandler(256, true));
        }
    }
}
