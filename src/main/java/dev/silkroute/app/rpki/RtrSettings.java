package dev.silkroute.app.rpki;

import dev.silkroute.app.config.HostPort;
import dev.silkroute.app.config.RibConfig;
import dev.silkroute.app.config.UsageError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of RTR, {@code silkroute.rpki.rtr.…}.
 *
 * @param caches in the order of preference
 * @param responseTimeout of a response, from the query to End of Data
 * @param startTimeout how long the start waits for VRPs
 * @param firstRetry time to the first retry, without jitter
 */
record RtrSettings(
        List<HostPort> caches,
        Optional<Path> exceptions,
        Duration responseTimeout,
        Duration startTimeout,
        Duration firstRetry) {
    private static final String CACHES = "silkroute.rpki.rtr.caches";
    /** The port of RTR over TCP (RFC 8210, Section 14). */
    private static final int DEFAULT_PORT = 323;

    private static final int MAX_CACHES = 8;
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    RtrSettings {
        caches = List.copyOf(caches);
    }

    /**
     * Reads the settings; empty without caches.
     *
     * @throws UsageError if they are invalid or there is a VRP file too
     */
    static Optional<RtrSettings> of(RibConfig.Rpki config) {
        List<String> texts = config.rtr().caches().stream()
                .flatMap(list -> List.of(list.split(",", -1)).stream())
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        if (config.vrps().isPresent()) {
            throw new UsageError("silkroute.rpki.vrps and " + CACHES + " exclude each other: VRPs come either from a"
                    + " file or from caches");
        }
        Set<HostPort> caches = new LinkedHashSet<>();
        for (String text : texts) {
            try {
                if (!caches.add(HostPort.parse(text, DEFAULT_PORT))) {
                    throw new UsageError(CACHES + " contains " + text + " twice");
                }
            } catch (IllegalArgumentException e) {
                throw new UsageError(CACHES + ": " + e.getMessage(), e);
            }
        }
        if (caches.size() > MAX_CACHES) {
            throw new UsageError(CACHES + " has " + caches.size() + " caches; at most " + MAX_CACHES + " are possible");
        }
        return Optional.of(new RtrSettings(
                List.copyOf(caches),
                config.exceptions(),
                config.rtr().responseTimeout(),
                config.rtr().startTimeout(),
                FIRST_RETRY));
    }
}
