package dev.silkroute.alert;

import dev.silkroute.alert.path.PathCondition;
import dev.silkroute.alert.record.AlertRule;
import dev.silkroute.net.IpPrefix;
import java.util.List;
import java.util.Set;

/**
 * An entry of the rules: a prefix, and what is expected of it and of its more specific prefixes.
 *
 * @param asns the expected origin ASes
 * @param ignoreMoreSpecifics whether more specific prefixes without an entry of their own are not monitored
 * @param ignore whether the prefix itself is not monitored
 * @param includedMonitors the only monitors that apply, or empty for all
 * @param excludedMonitors monitors that do not apply
 * @param paths conditions on AS paths, any of which raises an alert
 * @param group the group that is notified
 */
record MonitoredPrefix(
        IpPrefix prefix,
        String description,
        Set<Long> asns,
        boolean ignoreMoreSpecifics,
        boolean ignore,
        Set<String> includedMonitors,
        Set<String> excludedMonitors,
        List<PathCondition> paths,
        String group) {

    /** Returns whether a rule applies: it is named by its own text or by its monitor in BGPalerter. */
    boolean has(AlertRule rule) {
        return (includedMonitors.isEmpty() || names(includedMonitors, rule)) && !names(excludedMonitors, rule);
    }

    private static boolean names(Set<String> monitors, AlertRule rule) {
        return monitors.contains(rule.monitor()) || monitors.contains(rule.text());
    }
}
