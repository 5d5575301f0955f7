package dev.silkroute.mrt;

import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.List;

/** The agreement of each BGP session of a file, in the order in which they begin: learnt in one pass, known in the next. */
final class Agreements {
    /** More sessions in one file are no peers but an attack on memory. */
    private static final int MAX = 1 << 18;

    private final List<Agreement> all;
    private final boolean learning;
    private int next;

    private Agreements(List<Agreement> all, boolean learning) {
        this.all = all;
        this.learning = learning;
    }

    static Agreements learning() {
        return new Agreements(new ArrayList<>(), true);
    }

    /** These, known, from the first one on. */
    Agreements known() {
        return new Agreements(all, false);
    }

    boolean isLearning() {
        return learning;
    }

    /** The agreement of the session that begins. */
    Agreement open() {
        if (learning) {
            if (all.size() == MAX) {
                throw new DecodeException("more than " + MAX + " BGP sessions", 0, "RFC 6396");
            }
            all.add(new Agreement());
        }
        return all.get(next++);
    }
}
