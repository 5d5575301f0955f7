package dev.silkroute.app.embedded;

import java.io.FileReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.SizeRotatingFileHandler;

/**
 * The main class of the embedded broker's JVM: a combined KRaft broker and controller with one storage directory.
 *
 * <p>The arguments are the broker's properties file and the log file. The process prints {@code ready} on stdout once
 * it accepts requests, and stops when its stdin reaches the end, so that no broker outlives a station, however that
 * ended.
 */
public final class KafkaBroker {
    static final String READY = "ready";
    private static final long LOG_BYTES = 10L << 20;
    private static final int LOG_BACKUPS = 2;
    private static final long STOP_LIMIT_SECONDS = 12;
    private static final CountDownLatch INPUT_ENDED = new CountDownLatch(1);

    private static volatile boolean serving;

    private KafkaBroker() {}

    public static void main(String[] args) {
        Thread.ofPlatform().name("end-of-input").daemon().start(KafkaBroker::awaitEndOfInput);
        try {
            run(args);
        } catch (Throwable e) {
            // The threads of a broker that has failed would keep the process alive.
            e.printStackTrace();
            System.out.println(e);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void run(String[] args) throws Exception {
        var properties = new Properties();
        try (Reader file = new FileReader(args[0], StandardCharsets.UTF_8)) {
            properties.load(file);
        }
        logTo(Path.of(args[1]));
        format(properties);
        var broker = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        broker.startup();
        serving = true;
        System.out.println(READY);
        INPUT_ENDED.await();
        broker.shutdown();
        broker.awaitShutdown();
        Runtime.getRuntime().halt(0);
    }

    /** Formats the storage directory, unless {@code meta.properties} shows that it is formatted. */
    private static void format(Properties properties) throws Exception {
        var storage = properties.getProperty("log.dirs");
        if (Files.exists(Path.of(storage, "meta.properties"))) {
            return;
        }
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(Integer.parseInt(properties.getProperty("node.id")))
                .setClusterId(Uuid.randomUuid().toString())
                .setControllerListenerName(properties.getProperty("controller.listener.names"))
                .setMetadataLogDirectory(storage)
                .addDirectory(storage)
                .run();
    }

    private static void logTo(Path file) throws IOException {
        var handler = new SizeRotatingFileHandler(file.toFile(), true, LOG_BYTES, LOG_BACKUPS);
        handler.setFormatter(new PatternFormatter("%d{yyyy-MM-dd HH:mm:ss,SSS} %-5p [%c{2.}] %s%e%n"));
        var root = Logger.getLogger("");
        root.setLevel(Level.WARNING);
        root.addHandler(handler);
    }

    /**
     * Waits for the end of stdin, whose content is ignored. A broker that is still starting, or cannot stop in time,
     * is halted; its log is recovered by the next start.
     */
    private static void awaitEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // Treated like the end.
        }
        INPUT_ENDED.countDown();
        if (!serving) {
            Runtime.getRuntime().halt(1);
        }
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(STOP_LIMIT_SECONDS));
        Runtime.getRuntime().halt(1);
    }
}
