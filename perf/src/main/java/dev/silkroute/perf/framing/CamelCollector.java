package dev.silkroute.perf.framing;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.collector.gate.ConnectionGate;
import dev.silkroute.collector.gate.RouterAccess;
import dev.silkroute.collector.sessions.OpenSession;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.sockets.SocketTransport;
import dev.silkroute.collector.transport.BmpReaders;
import dev.silkroute.collector.transport.ConnectionHandlers;
import dev.silkroute.collector.transport.MemoryBudget;
import dev.silkroute.collector.transport.SessionLimits;
import dev.silkroute.collector.turns.TurnQueue;
import dev.silkroute.component.bmp.BatchCompletionPolicyFactory;
import dev.silkroute.component.bmp.BmpFrames;
import dev.silkroute.session.identity.RouterIdentifier;
import dev.silkroute.session.identity.RouterValues;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import org.apache.camel.CamelContext;
import org.apache.camel.component.kafka.KafkaEndpoint;
import org.apache.camel.main.Main;
import org.apache.camel.support.PluginHelper;
import org.apache.camel.support.ResourceHelper;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The station's own way: its route {@code collector.camel.yaml} up to the raw topic, its settings of
 * {@code application.properties}, its beans. Both files are read from the station's jar, so this arm cannot drift from
 * what is shipped.
 */
final class CamelCollector implements CollectorVariant {
    /** The step that sends to the raw topic; the route ends there. */
    private static final String LAST_STEP = "- to: {id: to-raw,";

    private static final String FIRST_LINES = "- route:\n    id: collector\n";

    private static final int THREADS = 256;

    private final SessionRegistry sessions = new SessionRegistry(1_000);
    private final EventExecutorGroup threads = new DefaultEventExecutorGroup(
            THREADS, Thread.ofVirtual().name("bmp-session-", 0).factory());
    private final EventLoopGroup acceptor = new NioEventLoopGroup(1, new DefaultThreadFactory("bmp-acceptor", true));
    private final EventLoopGroup readers;
    private final Main main;
    private final int port;

    private CamelCollector(String bootstrap, Settings settings) {
        readers = new BmpReaders(SocketTransport.NIO, new DefaultThreadFactory("bmp-reader", true), settings::nextId);
        port = Ports.reserve(Ports.LOOPBACK);
        main = main(bootstrap);
        main.addInitialProperty("silkroute.bmp-host", Ports.LOOPBACK);
        main.addInitialProperty("silkroute.bmp-port", Integer.toString(port));
        main.bind("bmpThreads", threads);
        main.bind("bmpAcceptor", acceptor);
        main.bind("bmpReaders", readers);
        main.bind("completion", new BatchCompletionPolicyFactory());
        main.bind(
                "bmpFrames",
                new BmpFrames(new ConnectionHandlers(
                        new SessionLimits(
                                settings.frame(), settings.session(), settings.batch(), Duration.ofMinutes(1)),
                        new MemoryBudget(settings.budget(), settings.budget()),
                        sessions,
                        new TurnQueue(),
                        connection -> new OpenSession(
                                settings.config(),
                                new RouterIdentifier(ConnectionGate.routerAddress(connection), RouterValues.NONE),
                                settings.nextId(),
                                ConnectionGate.routerAddress(connection)),
                        _ -> RouterAccess.OPEN)));
    }

    static CamelCollector start(String bootstrap, String topic, Settings settings) throws Exception {
        CamelCollector arm = new CamelCollector(bootstrap, settings);
        arm.main.addInitialProperty("silkroute.topic.raw.name", topic);
        arm.main.start();
        CamelContext context = arm.main.getCamelContext();
        PluginHelper.getRoutesLoader(context)
                .loadRoutes(
                        ResourceHelper.resolveResource(context, "classpath:routes/error-handling.camel.yaml"),
                        ResourceHelper.fromString("collector.camel.yaml", route()));
        return arm;
    }

    /** The options with which the station makes its Kafka producers, for the others to use as well. */
    static Properties producerOptions(String bootstrap) throws Exception {
        EventExecutorGroup unused = new DefaultEventExecutorGroup(1);
        Main main = main(bootstrap);
        main.bind("bmpThreads", unused);
        main.start();
        try {
            KafkaEndpoint endpoint = main.getCamelContext().getEndpoint("kafka:bmp.raw", KafkaEndpoint.class);
            Properties options = endpoint.getConfiguration().createProducerProperties();
            options.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
            return options;
        } finally {
            main.stop();
            unused.shutdownGracefully();
        }
    }

    /**
     * Replaces values of components that refer to keys of the station's configuration, which plain Camel does not have.
     * All of them are durations of components that this arm does not use.
     */
    private static void overrideReferences(Main main) {
        Properties packaged = new Properties();
        try (InputStream in = BmpFrames.class.getResourceAsStream("/application.properties")) {
            packaged.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        for (String key : packaged.stringPropertyNames()) {
            if (key.startsWith("camel.component.") && packaged.getProperty(key).contains("${")) {
                main.addOverrideProperty(key, "10s");
            }
        }
    }

    private static Main main(String bootstrap) {
        Main main = new Main();
        main.addOverrideProperty("camel.component.kafka.brokers", bootstrap);
        overrideReferences(main);
        return main;
    }

    private static String route() throws IOException {
        try (InputStream in = BmpFrames.class.getResourceAsStream("/routes/collector.camel.yaml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(find(text, FIRST_LINES), text.indexOf('\n', find(text, LAST_STEP)) + 1);
        }
    }

    private static int find(String text, String lines) {
        int at = text.indexOf(lines);
        if (at < 0) {
            throw new IllegalStateException("collector.camel.yaml has no '" + lines.strip() + "' any more");
        }
        return at;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public int openSessions() {
        return sessions.count();
    }

    @Override
    public void close() {
        main.stop();
        threads.shutdownGracefully();
        readers.shutdownGracefully();
        acceptor.shutdownGracefully();
    }
}
