package dev.silkroute.component.rib;

import dev.silkroute.rib.Rib;
import java.util.OptionalLong;
import org.apache.camel.Message;
import org.jspecify.annotations.Nullable;

/** The completeness and age of answers of the RIB, for their headers. */
final class RibState {
    private final Rib rib;
    private final RibOffsets offsets;

    RibState(Rib rib, @Nullable RibOffsets offsets) {
        this.rib = rib;
        this.offsets = offsets == null ? RibOffsets.NONE : offsets;
    }

    /**
     * To be called before the RIB is read, which may then contain more.
     *
     * @return until when, in milliseconds since 1970, the RIB includes what routers sent
     * @throws RibNotReady if it has not been loaded
     */
    OptionalLong requireReady() {
        if (!offsets.ready()) {
            throw new RibNotReady();
        }
        return offsets.lastUpdated();
    }

    /** Sets the headers of an answer. */
    void describe(Message answer, OptionalLong lastUpdated) {
        answer.setHeader(RibConstants.INCOMPLETE, rib.isIncomplete());
        if (lastUpdated.isPresent()) {
            answer.setHeader(RibConstants.LAST_UPDATED, lastUpdated.getAsLong());
        }
    }
}
