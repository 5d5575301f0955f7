package dev.silkroute.alert;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * An entry of the rules for routers and their peers.
 *
 * @param name matches the names of the routers
 * @param goneAfterMicros how long a router may be disconnected; empty for ever
 * @param peerGoneAfterMicros how long a peer may be down while its router is connected; empty for ever
 * @param group the group that is notified
 */
record MonitoredRouter(
        String text,
        Pattern name,
        String description,
        OptionalLong goneAfterMicros,
        OptionalLong peerGoneAfterMicros,
        String group) {

    /** @param text a name, in which {@code *} stands for any characters */
    static MonitoredRouter of(
            String text, String description, OptionalLong goneAfter, OptionalLong peerGoneAfter, String group) {
        return new MonitoredRouter(text, pattern(text), description, goneAfter, peerGoneAfter, group);
    }

    /** Returns a pattern for a name in which {@code *} stands for any characters. */
    static Pattern pattern(String text) {
        return Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"), Pattern.DOTALL);
    }

    boolean matches(String router) {
        return name.matcher(router).matches();
    }
}
