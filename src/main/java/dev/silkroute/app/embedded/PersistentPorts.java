package dev.silkroute.app.embedded;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The ports of the embedded servers. The first start chooses free ones; later starts use the same while they are free.
 * Thread-safe.
 */
public final class PersistentPorts {
    private final Path file;
    private final Properties saved = new Properties();
    private final Map<String, Integer> assigned = new HashMap<>();

    public PersistentPorts(DataDirectory directory) {
        this.file = directory.path().resolve("ports.properties");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                saved.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new OperatorError("cannot read " + file + ": " + OperatorError.reason(e), e);
            }
        }
    }

    /** Returns the port of a server on the loopback address, the same for every call in one run. */
    public synchronized int port(String server) {
        var known = assigned.get(server);
        if (known != null) {
            return known;
        }
        int port = number(saved.getProperty(server, ""));
        while (port == 0 || assigned.containsValue(port) || !Ports.isFree(Ports.LOOPBACK, port)) {
            port = Ports.reserve(Ports.LOOPBACK);
        }
        assigned.put(server, port);
        saved.setProperty(server, Integer.toString(port));
        write();
        return port;
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) < 65_536 ? Integer.parseInt(text) : 0;
    }

    private void write() {
        try (Writer writer = Files.newBufferedWriter(file)) {
            saved.store(writer, null);
        } catch (IOException e) {
            throw new OperatorError("cannot write " + file + ": " + OperatorError.reason(e), e);
        }
    }
}
