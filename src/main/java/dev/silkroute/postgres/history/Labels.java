package dev.silkroute.postgres.history;

import dev.silkroute.bgp.nlri.NlriReader;

/** The label stack of an NLRI, outermost first. */
public final class Labels {
    public static final int[] NONE = {};

    private Labels() {}

    public static int[] of(NlriReader nlri) {
        if (nlri.labelCount() == 0) {
            return NONE;
        }
        int[] labels = new int[nlri.labelCount()];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = nlri.label(i);
        }
        return labels;
    }
}
