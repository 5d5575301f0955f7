package dev.silkroute.session;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.bmp.PathMarkings;
import dev.silkroute.bmp.RouteMonitoring;

/**
 * Divides the sections of an UPDATE into runs of NLRI with the same path marking
 * (draft-ietf-grow-bmp-path-marking-tlv). Markings number NLRI by their position in the message, which is not the order
 * of the sections: there, withdrawals come first. Not thread-safe.
 */
final class MarkedRoutes {
    /**
     * Maximum runs of one batch. Each is a group of events, whose header is many times as long as an NLRI. A router
     * marks most NLRI of an UPDATE alike; a malicious one that marks every other NLRI would make the batch larger than
     * Kafka accepts.
     */
    private static final int MAX_RUNS = 1 << 15;

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

    /** Begins another batch. */
    void begin() {
        runsLeft = MAX_RUNS;
    }

    /** Reads the markings of a message whose UPDATE has been decoded. */
    void read(RouteMonitoring message, byte[] b) {
        bytes = b;
        int all = 0;
        for (int i = 0; i < update.sections(); i++) {
            all += update.count(i);
        }
        markings.read(message, b, all);
        ignored = markings.ignored();
    }

    /** Moves to the beginning of a section. */
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

    /**
     * Moves to the next run of NLRI. At the limit of runs, the rest of the section is one run without marking.
     *
     * @return false after the last run
     */
    boolean next() {
        int end = update.to(section);
        if (to == end) {
            return false;
        }
        from = to;
        count = 0;
        boolean isAtLimit = runsLeft == 0;
        if (isAtLimit) {
            ignored++;
        } else {
            runsLeft--;
        }
        marking = isAtLimit ? PathMarking.NONE : markings.of(ordinal);
        do {
            to = NlriFormat.end(
                    update.family(section), bytes, to, end, update.addPath(section), !update.announcedForm(section));
            ordinal++;
            count++;
        } while (to < end && (isAtLimit || markings.of(ordinal) == marking));
        return true;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Returns the number of NLRI in the run. */
    int count() {
        return count;
    }

    long marking() {
        return marking;
    }

    /**
     * Returns how many markings refer to no NLRI, and how many sections are beyond the limit of runs. Valid after the
     * last run.
     */
    int ignored() {
        return ignored;
    }
}
