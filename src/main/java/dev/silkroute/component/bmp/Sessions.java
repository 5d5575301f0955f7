package dev.silkroute.component.bmp;

import dev.silkroute.session.BmpSession;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The BMP sessions that are open, or whose last batch is still under way. Thread-safe. */
public final class Sessions {
    private final Set<BmpSession> open = ConcurrentHashMap.newKeySet();

    void add(BmpSession session) {
        open.add(session);
    }

    void remove(BmpSession session) {
        open.remove(session);
    }

    public int count() {
        return open.size();
    }

    public Collection<BmpSession> all() {
        return Collections.unmodifiableSet(open);
    }
}
