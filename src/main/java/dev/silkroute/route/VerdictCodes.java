package dev.silkroute.route;

import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.RouteVerdicts;
import dev.silkroute.rpki.Validity;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of the RPKI about each event of a batch, as the headers {@value Validity#HEADER} and {@value
 * AspaVerdict#HEADER} beside the batch hold it. Thread-safe as long as their arrays do not change.
 */
public final class VerdictCodes {
    /** There are no verdicts. */
    public static final VerdictCodes NONE = new VerdictCodes(EventCodes.NONE, EventCodes.NONE);

    private final EventCodes validity;
    private final EventCodes aspa;

    private VerdictCodes(EventCodes validity, EventCodes aspa) {
        this.validity = validity;
        this.aspa = aspa;
    }

    /** Returns the verdicts of two headers, see {@link EventCodes#of}. */
    public static VerdictCodes of(@Nullable Object validity, @Nullable Object aspa, RouteBatch batch) {
        return new VerdictCodes(EventCodes.of(validity, batch), EventCodes.of(aspa, batch));
    }

    /** @param event its index in the batch */
    public RouteVerdicts verdicts(int event) {
        return new RouteVerdicts(Validity.of(validity.code(event)), AspaVerdict.of(aspa.code(event)));
    }

    /** Returns the size in bytes. */
    public int size() {
        return validity.size() + aspa.size();
    }
}
