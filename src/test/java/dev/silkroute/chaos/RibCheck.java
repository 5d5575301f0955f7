package dev.silkroute.chaos;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.fixture.TopicReader;
import dev.silkroute.net.Family;
import dev.silkroute.rib.Rib;
import dev.silkroute.rib.RibConfig;
import dev.silkroute.rib.RibReader;
import dev.silkroute.rib.RibRoute;
import dev.silkroute.route.RouteBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Compares the RIB that the topic leads to with the routes that the routers have. */
final class RibCheck {
    private static final RibConfig CONFIG = RibConfig.ofBytes(256 << 20);
    private static final int PURGE = 100_000;

    private RibCheck() {}

    /** @param expected the AS path of each route, see {@link StateCheck#expected} */
    static void run(String bootstrap, Map<String, String> expected, Findings findings) {
        Findings.Kind stale = findings.kind("route that its router has but that is stale in the RIB");
        Findings.Kind other = findings.kind("route with other attributes in the RIB");
        Findings.Kind surplus = findings.kind("surplus route in the RIB");
        Findings.Kind missing = findings.kind("route missing in the RIB");
        Map<String, String> left = new HashMap<>(expected);
        try (Rib rib = new Rib(CONFIG)) {
            TopicReader.read(bootstrap, "bmp.routes", record -> rib.apply(RouteBatch.read(record.value())));
            while (rib.purge(PURGE)) {}
            for (RibRoute route : routes(rib)) {
                String key = key(route);
                String asPath = left.remove(key);
                AsPath path = route.attributes().asPath();
                String found = path == null ? "" : path.text();
                if (asPath == null) {
                    surplus.add(key);
                } else if (!asPath.equals(found)) {
                    other.add(key, "has", found, "and not", asPath);
                } else if (route.stale()) {
                    stale.add(key);
                }
            }
        }
        left.keySet().forEach(missing::add);
        List.of(stale, other, surplus, missing).forEach(Findings.Kind::close);
    }

    private static List<RibRoute> routes(Rib rib) {
        List<RibRoute> routes = new ArrayList<>();
        try (RibReader reader = rib.reader()) {
            reader.forEach(route -> routes.add(route.toRoute()));
        }
        return routes;
    }

    private static String key(RibRoute route) {
        return String.join(
                "|",
                route.peer().router(),
                route.peer().address(),
                route.view().text(),
                Family.text(route.family()),
                route.nlri(),
                Integer.toUnsignedString(route.hasPathId() ? route.pathId() : -1));
    }
}
