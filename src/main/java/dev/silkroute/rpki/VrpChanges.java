package dev.silkroute.rpki;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Announcements and withdrawals of VRPs that together make a new table of an old one. The VRPs that differ from the
 * old table are kept, about 100 bytes each. For one thread.
 */
public final class VrpChanges {
    private final VrpTable base;
    private final Set<Vrp> added = new HashSet<>();
    private final Set<Vrp> removed = new HashSet<>();

    public VrpChanges(VrpTable base) {
        this.base = base;
    }

    /** Adds a VRP. Returns false, and changes nothing, if it is there already. */
    public boolean announce(Vrp vrp) {
        return removed.remove(vrp) || (!base.contains(vrp) && added.add(vrp));
    }

    /** Removes a VRP. Returns false, and changes nothing, if it is not there. */
    public boolean withdraw(Vrp vrp) {
        return added.remove(vrp) || (base.contains(vrp) && removed.add(vrp));
    }

    /** Returns the number of VRPs of the new table. */
    public int size() {
        return base.size() - removed.size() + added.size();
    }

    /** Returns the new table; the old one if nothing has changed. */
    public VrpTable toTable() {
        if (added.isEmpty() && removed.isEmpty()) {
            return base;
        }
        List<Vrp> vrps = base.toList();
        vrps.removeIf(removed::contains);
        vrps.addAll(added);
        return VrpTable.of(vrps);
    }
}
