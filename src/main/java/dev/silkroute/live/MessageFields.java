package dev.silkroute.live;

import dev.silkroute.route.PeerEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a message that filters compare, except its prefixes. */
interface MessageFields {
    String router();

    /** Returns the peer; null for events of a session. */
    @Nullable
    PeerEntry peer();

    MessageType type();

    /** Returns the name of the family, empty if there is none. */
    String familyName();

    /** Returns whether the message has a field of RIS Live. */
    boolean has(String field);

    /** Returns the elements of an announcement's AS path as {@link PathPattern} compares them; null for others. */
    @Nullable
    List<String> announcedPath();
}
