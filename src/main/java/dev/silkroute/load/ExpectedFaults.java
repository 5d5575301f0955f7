package dev.silkroute.load;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bmp.MessageType;
import java.util.Map;

/**
 * What a station should have found wrong.
 *
 * @param malformed messages, all together
 * @param quarantined how many of them by type, which is rows of {@code v_quarantine}; types without any are left out
 * @param outcomes how often what else was done, as in {@code bgp_decode_outcomes_total}; likewise
 */
public record ExpectedFaults(long malformed, Map<MessageType, Long> quarantined, Map<Outcome.Kind, Long> outcomes) {
    public ExpectedFaults {
        quarantined = Map.copyOf(quarantined);
        outcomes = Map.copyOf(outcomes);
    }
}
