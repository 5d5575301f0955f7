package dev.silkroute.load;

import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bmp.MessageType;
import java.util.Map;

/**
 * The malformed messages that a router has sent, counted by what a station should do with them.
 *
 * @param malformed the number of malformed messages
 * @param quarantined how many of them must be quarantined, by message type; equals the rows of {@code v_quarantine}.
 *     Types without any are absent
 * @param outcomes how many lead to each other outcome; equals {@code bmp_decode_outcomes_total}. Outcomes that did not
 *     occur are absent
 */
public record MalformedCounts(
        long malformed, Map<MessageType, Long> quarantined, Map<DecodeOutcome.Kind, Long> outcomes) {
    public MalformedCounts {
        quarantined = Map.copyOf(quarantined);
        outcomes = Map.copyOf(outcomes);
    }
}
