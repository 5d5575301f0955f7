package dev.silkroute.perf.decode;

import dev.silkroute.bmp.BmpMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts a session into batches of whole messages, as the station's frame handler does. */
final class Batches {
    private Batches() {}

    /** @param size bytes after which a batch ends, with the message that it is in */
    static List<byte[]> of(byte[] session, int size) {
        List<byte[]> batches = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < session.length; ) {
            at += BmpMessages.length(session, at);
            if (at - from >= size || at == session.length) {
                batches.add(Arrays.copyOfRange(session, from, at));
                from = at;
            }
        }
        return batches;
    }
}
