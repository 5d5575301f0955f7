package dev.silkroute.app.embedded;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * The ports of the embedded servers. The first start chooses free ones; later starts use the same while they are free.
 * Thread-safe.
 */
public final class PersistentPorts {
    private final PropertiesFile file;
    private final Properties saved;
    private final Map<String, Integer> assigned = new HashMap<>();

    public PersistentPorts(DataDirectory directory) {
        file = new PropertiesFile(directory.path().resolve("ports.properties"));
        saved = file.read();
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
        file.write(saved);
        return port;
    }

    private static int number(String text) {
        return text.matches("\\d{1,5}") && Integer.parseInt(text) < 65_536 ? Integer.parseInt(text) : 0;
    }
}
