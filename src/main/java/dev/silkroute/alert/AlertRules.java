package dev.silkroute.alert;

import dev.silkroute.alert.path.AsRelations;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.net.IpPrefix;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The monitored prefixes, ASes, routers, tables and undecodable messages. Routers cannot choose prefixes
 * that make a lookup slow, because nothing is hashed. Immutable.
 */
public final class AlertRules {
    /** Rules that monitor nothing. */
    public static final AlertRules NONE =
            new AlertRules(List.of(), Map.of(), List.of(), List.of(), List.of(), Map.of(), AsRelations.NONE);

    private final Map<IpPrefix, MonitoredPrefix> prefixes = new TreeMap<>(IpPrefix.ORDER);
    private final Map<Long, MonitoredAs> asns;
    private final List<MonitoredRouter> routers;
    private final List<MonitoredTable> tables;
    private final List<MonitoredQuarantine> quarantine;
    private final Map<Long, NeighborRole> roles;
    private final AsRelations relations;
    private final MonitoredPrefixes ipv4Prefixes;
    private final MonitoredPrefixes ipv6Prefixes;

    /**
     * @param roles what neighbors of the monitored routers are, by their AS
     * @param relations between the ASes in paths
     */
    AlertRules(
            Collection<MonitoredPrefix> entries,
            Map<Long, MonitoredAs> asns,
            List<MonitoredRouter> routers,
            List<MonitoredTable> tables,
            List<MonitoredQuarantine> quarantine,
            Map<Long, NeighborRole> roles,
            AsRelations relations) {
        entries.forEach(entry -> prefixes.put(entry.prefix(), entry));
        this.asns = Map.copyOf(asns);
        this.routers = List.copyOf(routers);
        this.tables = List.copyOf(tables);
        this.quarantine = List.copyOf(quarantine);
        this.roles = Map.copyOf(roles);
        this.relations = relations;
        ipv4Prefixes = new MonitoredPrefixes(prefixes.values(), false);
        ipv6Prefixes = new MonitoredPrefixes(prefixes.values(), true);
    }

    /** Returns the number of monitored prefixes. */
    public int size() {
        return prefixes.size();
    }

    Collection<MonitoredPrefix> entries() {
        return prefixes.values();
    }

    boolean monitorsAnyAs() {
        return !asns.isEmpty();
    }

    /** Returns whether routes of any prefix may be leaks. */
    boolean findsLeaks() {
        return !roles.isEmpty() || !relations.isEmpty();
    }

    /** Returns what a neighbor is; null if that is not known. */
    @Nullable
    NeighborRole role(long neighbor) {
        return roles.get(neighbor);
    }

    AsRelations relations() {
        return relations;
    }

    boolean monitorsRouters() {
        return !routers.isEmpty();
    }

    /** Returns the first entry that matches the name of a router; null if none does. */
    @Nullable
    MonitoredRouter monitoredRouter(String router) {
        return routers.stream()
                .filter(entry -> entry.matches(router))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the routes of any table of a view and family are counted. */
    boolean monitorsTables(RibView view, int family) {
        for (MonitoredTable entry : tables) {
            if (entry.view() == view && entry.family() == family) {
                return true;
            }
        }
        return false;
    }

    boolean monitorsTables() {
        return !tables.isEmpty();
    }

    /** Returns whether any table is compared with statistics. */
    public boolean comparesStatistics() {
        return tables.stream().anyMatch(entry -> entry.differsPercent().isPresent());
    }

    /** Returns the first entry that matches a table or total; null if none does. */
    @Nullable
    MonitoredTable monitoredTable(AlertSubject.OfTable subject) {
        return tables.stream()
                .filter(entry -> entry.matches(subject))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether undecodable messages are counted. */
    public boolean monitorsQuarantine() {
        return !quarantine.isEmpty();
    }

    /** Returns the longest time for which undecodable messages count, in microseconds. */
    public long quarantineSpanMicros() {
        return quarantine.stream()
                .mapToLong(MonitoredQuarantine::quietMicros)
                .max()
                .orElse(0);
    }

    /** Returns the first entry for the undecodable messages of a router or peer; null if there is none. */
    @Nullable
    MonitoredQuarantine monitoredQuarantine(AlertSubject subject) {
        return quarantine.stream()
                .filter(entry -> entry.matches(subject))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the downstreams of any AS are monitored. */
    boolean monitorsDownstreams() {
        return asns.values().stream().anyMatch(MonitoredAs::monitorsDownstreams);
    }

    /** Returns a monitored AS, null if it is not monitored. */
    @Nullable
    MonitoredAs monitoredAs(long asn) {
        return asns.get(asn);
    }

    /** Returns the entry of the longest monitored prefix that covers a prefix; null if there is none. */
    @Nullable
    MonitoredPrefix find(boolean ipv6, long high, long low, int length) {
        return (ipv6 ? ipv6Prefixes : ipv4Prefixes).find(high, low, length);
    }
}
