package dev.silkroute.bgp;

/**
 * Whether the NLRI of one family of one peer and view carry path identifiers: what the OPENs agree on, and what the
 * bytes have shown since.
 *
 * <p>Some routers announce path identifiers and send none, some send them unannounced. A field of NLRI tells where it
 * makes sense in one reading only. Such fields move a saturating counter, as a branch predictor does it: the first one
 * decides where nothing was proved yet, and later on it takes several in a row to change the reading. So a malformed
 * message is not let through by reading it the other way, and a reading that a malformed message brought about does not
 * last.
 *
 * <p>Not thread-safe: it belongs to its session.
 */
public final class AddPathReading {
    /** Fields that agree, after which the other reading is not tried any more. */
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

    /** Whether the OPENs agree on path identifiers. */
    public boolean agreed() {
        return agreed;
    }

    /** How to read a field that tells nothing by itself. */
    public boolean pathIdentifiers() {
        return pathIdentifiers;
    }

    /** Whether the bytes have shown something yet. */
    public boolean proved() {
        return evidence > 0;
    }

    /** Whether a field need not be read both ways. */
    public boolean settled() {
        return fixed || evidence == SETTLED;
    }

    /** A field made sense in this reading only. */
    public void confirm() {
        evidence = Math.min(evidence + 1, SETTLED);
    }

    /** A field made sense in the other reading only. True if that is from now on the reading. */
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

    /** Whether fields are read in another way than the OPENs agree on. */
    public boolean mismatch() {
        return pathIdentifiers != agreed;
    }

    /** Whether the reading has changed since the last call. */
    boolean takeTurn() {
        boolean was = turned;
        turned = false;
        return was;
    }
}
