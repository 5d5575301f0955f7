package dev.silkroute.rpki;

import java.util.List;
import java.util.TreeMap;

/** Announcements and withdrawals of ASPAs that together make a new table of an old one. For one thread. */
public final class AspaChanges {
    private final AspaTable base;
    private final TreeMap<Integer, Aspa> aspas = new TreeMap<>(Integer::compareUnsigned);
    private int providers;
    private boolean changed;

    public AspaChanges(AspaTable base) {
        this.base = base;
        base.toList().forEach(aspa -> aspas.put(aspa.customer(), aspa));
        providers = base.providers();
    }

    /** Adds an ASPA, which replaces the one of its customer if there is one. */
    public void announce(Aspa aspa) {
        Aspa before = aspas.put(aspa.customer(), aspa);
        providers += aspa.providers().size()
                - (before == null ? 0 : before.providers().size());
        changed |= !aspa.equals(before);
    }

    /** Removes the ASPA of a customer. Returns false, and changes nothing, if there is none. */
    public boolean withdraw(int customer) {
        Aspa before = aspas.remove(customer);
        if (before == null) {
            return false;
        }
        providers -= before.providers().size();
        changed = true;
        return true;
    }

    /** Returns the number of providers of the new table. */
    public int providers() {
        return providers;
    }

    /** Returns the new table; the old one if nothing has changed. */
    public AspaTable toTable() {
        return changed ? AspaTable.of(List.copyOf(aspas.values())) : base;
    }
}
