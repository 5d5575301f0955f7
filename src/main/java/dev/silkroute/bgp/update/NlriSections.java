package dev.silkroute.bgp.update;

import dev.silkroute.bgp.AddPathReading;
import dev.silkroute.bgp.DecodeOutcome;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.nlri.NlriEvidence;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.DecodeException;
import org.jspecify.annotations.Nullable;

/** The NLRI fields of an UPDATE, in the order in which they are applied. The non-empty ones are its sections. */
final class NlriSections {
    static final int WITHDRAWN = 0;
    static final int UNREACH = 1;
    static final int NLRI = 2;
    static final int REACH = 3;
    private static final int FIELDS = 4;

    /** Indexed by field; from == to for an absent field. */
    private final int[] families = new int[FIELDS];

    private final int[] froms = new int[FIELDS];
    private final int[] tos = new int[FIELDS];

    /** Indexed by section. */
    private final int[] fields = new int[FIELDS];

    private final int[] counts = new int[FIELDS];
    private final boolean[] addPaths = new boolean[FIELDS];
    private int count;
    private DecodeOutcome.@Nullable Kind departure;

    void clear() {
        count = 0;
        departure = null;
        for (int field = 0; field < FIELDS; field++) {
            set(field, 0, 0, 0);
        }
    }

    void set(int field, int family, int from, int to) {
        families[field] = family;
        froms[field] = from;
        tos[field] = to;
    }

    boolean isEmpty(int field) {
        return froms[field] == tos[field];
    }

    boolean areEmpty() {
        return isEmpty(WITHDRAWN) && isEmpty(UNREACH) && isEmpty(NLRI) && isEmpty(REACH);
    }

    /** Creates the sections and validates every NLRI. */
    void read(byte[] b, UpdateContext context) {
        for (int field = 0; field < FIELDS; field++) {
            if (!isEmpty(field)) {
                read(b, field, context);
            }
        }
    }

    private void read(byte[] b, int field, UpdateContext context) {
        int family = families[field];
        int from = froms[field];
        int to = tos[field];
        boolean withdrawal = field <= UNREACH;
        AddPathReading reading = context.addPath(family);
        boolean addPath = reading.settled()
                ? reading.pathIdentifiers()
                : NlriEvidence.weigh(reading, family, b, from, to, withdrawal);
        int found = 0;
        for (int at = from; at < to; found++) {
            int end = NlriFormat.next(family, b, at, to, addPath, withdrawal);
            if (end < 0) {
                throw fault(b, field, reading, end, at);
            }
            at = end;
        }
        if (addPath != reading.agreed()) {
            departure = addPath
                    ? DecodeOutcome.Kind.PATH_IDENTIFIERS_UNANNOUNCED
                    : DecodeOutcome.Kind.PATH_IDENTIFIERS_MISSING;
        }
        fields[count] = field;
        addPaths[count] = addPath;
        counts[count] = found;
        count++;
    }

    private DecodeException fault(byte[] b, int field, AddPathReading reading, int end, int at) {
        boolean withdrawal = field <= UNREACH;
        if (reading.settled()
                && NlriEvidence.fitsOtherwise(reading, families[field], b, froms[field], tos[field], withdrawal)) {
            reading.contradict();
        }
        return NlriFormat.fault(end, at);
    }

    int familyOf(int field) {
        return families[field];
    }

    /** Returns the number of sections. */
    int count() {
        return count;
    }

    int field(int section) {
        return fields[section];
    }

    /** Returns whether the section is a field for announcements. */
    boolean announces(int section) {
        return fields[section] >= NLRI;
    }

    boolean addPath(int section) {
        return addPaths[section];
    }

    int from(int section) {
        return froms[fields[section]];
    }

    int to(int section) {
        return tos[fields[section]];
    }

    /** Returns the number of NLRI in the section. */
    int count(int section) {
        return counts[section];
    }

    /** See {@link UpdateDecoder#departure}. */
    DecodeOutcome.@Nullable Kind departure() {
        return departure;
    }
}
