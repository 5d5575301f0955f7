package dev.silkroute.postgres;

import dev.silkroute.bgp.nlri.NlriReader;

/** The label stack of an NLRI, outermost first. */
final class Labels {
    static final int[] NONE = {};

    private Labels() {}

    static int[] of(NlriReader nlri) {
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
