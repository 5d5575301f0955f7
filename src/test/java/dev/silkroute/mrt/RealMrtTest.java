package dev.silkroute.mrt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that GoBGP 3.10 and BIRD 2.0.12 wrote, against what bgpdump 1.6.2 reads in them. (It does not decode VPN
 * routes: those it leaves out.) Most hold several tables, one after the other.
 */
class RealMrtTest {
    private static final int TYPE = 0;
    private static final int ACTION = 2;
    private static final int PREFIX = 5;

    @ParameterizedTest
    @ValueSource(strings = {"gobgp-table", "gobgp-updates", "bird-master4", "bird-master6", "bird-messages"})
    void theStationHoldsWhatBgpdumpReads(String name) throws Exception {
        Station station = Station.of(resource(name + ".mrt"));

        Map<String, String> held = new TreeMap<>();
        station.routes.forEach((key, route) -> {
            if (!key.contains(" vpnv4 ")) {
                held.put(key.split(" ")[0] + " " + key.substring(key.lastIndexOf(' ') + 1), route);
            }
        });
        assertThat(station.failure).isNull();
        assertThat(held).isEqualTo(bgpdump(resource(name + ".txt")));
    }

    /** {@code type|time|action|peer|AS|prefix|[path identifier|]AS path|origin|next hop|…}, folded. */
    private static Map<String, String> bgpdump(Path file) throws Exception {
        Map<String, String> routes = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split("\\|");
            if (fields[ACTION].equals("STATE")) {
                // From established to anything.
                if (fields[PREFIX].equals("6")) {
                    routes.keySet().removeIf(key -> key.startsWith(fields[3] + " "));
                }
                continue;
            }
            boolean pathIds = fields[TYPE].endsWith("_AP");
            String id = pathIds ? fields[PREFIX + 1] + ":" : "";
            String key = fields[3] + " " + id + fields[PREFIX];
            int path = PREFIX + (pathIds ? 2 : 1);
            if (fields[ACTION].equals("W")) {
                routes.remove(key);
            } else {
                routes.put(key, fields[path] + " via " + fields[path + 2]);
            }
        }
        return routes;
    }

    private static Path resource(String name) throws Exception {
        return Path.of(RealMrtTest.class.getResource("/captures/mrt/" + name).toURI());
    }
}
