package dev.silkroute.bgp;

/**
 * Determines whether the NLRI of one family of one peer and view are read with path identifiers: the OPENs decide
 * first, then the bytes.
 *
 * <p>Some routers negotiate path identifiers and send none, and some send them without negotiation. A field of NLRI
 * that is plausible in one reading only is evidence. Such fields move a saturating counter, like that of a branch
 * predictor: the first one decides while there is no evidence, later it takes several in a row to change the reading. A
 * malformed message is therefore not accepted by reading it the other way, and a reading that a malformed message
 * caused does not last.
 *
 * <p>Not thread-safe: it belongs to its session.
 */
public final class AddPathReading {
    /** Number of agreeing fields after which the other reading is not tried any more. */
    static final int SETTLED = 8;

    private final boolean agreed;
    private final boolean fixed;
    private boolean pathIdentifiers;
    private int evidence;
    private boolean turned;

    AddPathReading(boolean agreed, AddPathPolicy policy) {
        this.agreed = agreed;
        fixed = policy != AddPathPolicy.HEURISTIC;
        pathIdentifiers = agreed || policy == AddPathPolicy.FORCE;
    }

    /** Returns whether the OPENs have negotiated path identifiers. */
    public boolean agreed() {
        return agreed;
    }

    /** Returns how to read a field that is not evidence. */
    public boolean pathIdentifiers() {
        return pathIdentifiers;
    }

    /** Returns whether there is evidence. */
    public boolean proved() {
        return evidence > 0;
    }

    /** Returns whether fields need not be read both ways. */
    public boolean settled() {
        return fixed || evidence == SETTLED;
    }

    /** Records a field that is plausible in this reading only. */
    public void confirm() {
        evidence = Math.min(evidence + 1, SETTLED);
    }

    /**
     * Records a field that is plausible in the other reading only.
     *
     * @return whether the other reading applies from now on
     */
    public boolean contradict() {
        if (fixed) {
            return false;
        }
        if (evidence > 0) {
            evidence--;
            return false;
        }
        pathIdentifiers = !pathIdentifiers;
        evidence = 1;
        turned = true;
        return true;
    }

    /** Returns whether fields are read against the negotiation. */
    public boolean mismatch() {
        return pathIdentifiers != agreed;
    }

    /** Returns whether the reading has changed since the previous call. */
    boolean takeTurn() {
        boolean was = turned;
        turned = false;
        return was;
    }
}
