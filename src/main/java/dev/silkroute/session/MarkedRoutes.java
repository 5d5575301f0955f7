package dev.silkroute.session;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.PathMarkings;
import dev.silkroute.bmp.RouteMonitoring;

/**
 * Cuts the sections of an UPDATE into runs of NLRI with the same path marking. NLRI are numbered as they stand in the message, which is not the
 * order of the sections: withdrawals come first there.
 */
final class MarkedRoutes {
    /**
     * Runs of one batch. Each is a group of events, whose header is many times an NLRI. An honest router marks most NLRI of an UPDATE alike; of a
     * hostile one that marks every other, a batch would become larger than Kafka takes.
     */
    private static final int MOST_RUNS = 1 << 15;

    private final PathMarkings markings = new PathMarkings();
    private final UpdateDecoder update;
    private byte[] bytes = new byte[0];
    private int section;
    private int ordinal;
    private int from;
    private int to;
    private int count;
    private long marking;
    private int runsLeft;
    private int ignored;

    MarkedRoutes(UpdateDecoder update) {
        this.update = update;
    }

    /** Another batch. */
    void begin() {
        runsLeft = MOST_RUNS;
    }

    /** Takes the markings of a message whose UPDATE has been decoded. */
    void read(RouteMonitoring message, byte[] b) {
        bytes = b;
        int all = 0;
        for (int i = 0; i < update.sections(); i++) {
            all += update.count(i);
        }
        markings.read(message, b, all);
        ignored = markings.ignored();
    }

    /** Before the first NLRI of a section. */
    void enter(int sectionIndex) {
        section = sectionIndex;
        to = update.from(sectionIndex);
        ordinal = 0;
        for (int i = 0; i < update.sections(); i++) {
            if (update.from(i) < to) {
                ordinal += update.count(i);
            }
        }
    }

    /** Moves to the next run of NLRI; false after the last one. Without room for more runs, the rest of the section is one without marking. */
    boolean next() {
        int end = update.to(section);
        if (to == end) {
            return false;
        }
        from = to;
        count = 0;
        boolean cut = runsLeft == 0;
        if (cut) {
            ignored++;
        } else {
            runsLeft--;
        }
        marking = cut ? PathMarking.NONE : markings.of(ordinal);
        do {
            to = NlriFormat.end(
                    update.family(section), bytes, to, end, update.addPath(section), !update.announcedForm(section));
            ordinal++;
            count++;
        } while (to < end && (cut || markings.of(ordinal) == marking));
        return true;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** NLRI in the run. */
    int count() {
        return count;
    }

    long marking() {
        return marking;
    }

    /** Markings that point to no NLRI, and sections that the batch has no room for the markings of. To be asked after the last run. */
    int ignored() {
        return ignored;
    }
}
