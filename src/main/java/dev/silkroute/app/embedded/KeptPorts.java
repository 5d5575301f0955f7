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

/** Ports of the embedded servers: free ones at the first start, the same ones at later starts while they are still free. */
public final class KeptPorts {
    private final Path file;
    private final Properties kept = new Properties();
    private final Map<String, Integer> given = new HashMap<>();

    public KeptPorts(DataDirectory directory) {
        this.file = directory.path().resolve("ports.properties");
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                kept.load(reader);
            } catch (IOException | IllegalArgumentException e) {
                throw new OperatorError("cannot read " + file + ": " + OperatorError.reason(e), e);
            }
        }
    }

    /** The port of a server on the loopback address: always the same in one run, and different from every other one's. */
    public synchronized int port(String server) {
        var before = given.get(server);
        if (before != null) {
            return before;
        }
        int port = number(kept.getProperty(server, ""));
        while (port == 0 || given.containsValue(port) || !Ports.isFree(Ports.LOOPBACK, port)) {
            port = Ports.any(Ports.LOOPBACK);
        }
        given.put(server, port);
        kept.setProperty(server, Integer.toString(port));
        write();
        return port;
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) < 65_536 ? Integer.parseInt(text) : 0;
    }

    private void write() {
        try (Writer writer = Files.newBufferedWriter(file)) {
            kept.store(writer, null);
        } catch (IOException e) {
            throw new OperatorError("cannot write " + file + ": " + OperatorError.reason(e), e);
        }
    }
}
