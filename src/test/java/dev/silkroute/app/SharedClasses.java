package dev.silkroute.app;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;

import dev.silkroute.endtoend.Messages;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Files of classes as a JVM has them once it has read them: the stations of the tests, and their Kafka, map them instead of reading
 * the same jars dozens of times, which is a fifth of what a start costs. {@link #main} makes them before the integration tests; where
 * they are not there, or of another build, everything starts as ever.
 */
public enum SharedClasses {
    STATION("station.jsa"),
    KAFKA("kafka.jsa");

    /** Relative, so that no folder's name has to be one word. */
    private static final Path FOLDER = Path.of("target", "shared-classes");

    /** The JVM complains on stdout of a file of another build, and that the JDK's own was made with other options. */
    private static final String QUIET = "-Xlog:cds*=off,aot*=off";

    private final String name;

    SharedClasses(String name) {
        this.name = name;
    }

    private Path file() {
        return FOLDER.resolve(name);
    }

    /** The JVM's, for what {@linkplain StationProcess#SHORT_LIVED lives for seconds}. */
    public List<String> options() {
        return Files.exists(file())
                ? List.of(StationProcess.SHORT_LIVED, "-XX:SharedArchiveFile=" + file(), QUIET)
                : List.of(StationProcess.SHORT_LIVED);
    }

    private String making() {
        return String.join(" ", StationProcess.SHORT_LIVED, "-XX:ArchiveClassesAtExit=" + file(), QUIET);
    }

    /** One station's life, in a folder that is empty. */
    public static void main(String[] args) throws IOException {
        try (StationProcess station = StationProcess.start(
                        Map.of(
                                "SILKROUTE_JAVA_OPTS",
                                STATION.making(),
                                "SILKROUTE_EMBEDDED_KAFKA_JAVA_OPTS",
                                KAFKA.making()),
                        FOLDER.resolve("data"));
                Socket router = new Socket(InetAddress.getLoopbackAddress(), station.bmpPort())) {
            router.getOutputStream()
                    .write(Messages.join(
                            Messages.initiation("edge"), Messages.peerUp("192.0.2.77"), Messages.route(1)));
            await().atMost(60, SECONDS)
                    .until(() -> station.sql("SELECT prefix FROM bmp.v_rib").equals(List.of("198.51.1.0/24")));
        }
    }
}
