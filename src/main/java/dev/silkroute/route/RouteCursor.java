package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.DecodeException;
import org.jspecify.annotations.Nullable;

/**
 * Walks the events of a {@link RouteBatch} in their order, one step per NLRI or other event, reading the bytes in place:
 * the accessors speak of the event that {@link #next()} stands on, and nothing is allocated per event.
 *
 * <p>Not thread-safe: one cursor, one thread.
 */
public final class RouteCursor {
    private RouteBatch batch;
    private byte[] bytes;
    private final NlriReader nlri = new NlriReader();

    private int groupsLeft;
    private int group;
    private int groupEnd;
    private int eventsLeft;
    private int position;
    private int nextNlri;
    /** {@link EventKind#code}. */
    private int kind = EventKind.SESSION_UP.code();

    RouteCursor(RouteBatch batch) {
        this.batch = batch;
        bytes = batch.bytes();
        groupsLeft = batch.groupCount();
        groupEnd = batch.groupsAt();
    }

    /** Stands before the first event of another batch. */
    void move(RouteBatch to) {
        batch = to;
        bytes = to.bytes();
        groupsLeft = to.groupCount();
        groupEnd = to.groupsAt();
        eventsLeft = 0;
    }

    /**
     * A cursor that stands on the same event, and has none after it.
     *
     * @param again one that is no longer of use, which becomes it; null for a new one
     */
    public RouteCursor copy(@Nullable RouteCursor again) {
        RouteCursor copy = again == null ? new RouteCursor(batch) : again;
        copy.stand(this);
        return copy;
    }

    private void stand(RouteCursor other) {
        if (batch != other.batch) {
            batch = other.batch;
            bytes = other.bytes;
        }
        groupsLeft = 0;
        eventsLeft = 0;
        group = other.group;
        groupEnd = bytes.length;
        position = other.position;
        kind = other.kind;
        if (kind().isRoute()) {
            nlri.copy(other.nlri);
        }
    }

    /**
     * Moves to the next event.
     *
     * @return false after the last
     * @throws WireFormatException when what follows isn't one; {@link RouteBatch#read} has walked here before, so only
     *     bytes changed behind its back can bring this up later
     */
    public boolean next() {
        while (eventsLeft == 0) {
            if (groupsLeft == 0) {
                return end();
            }
            enterGroup();
        }
        eventsLeft--;
        position++;
        if (kind().isRoute()) {
            readNlri();
        }
        return true;
    }

    /**
     * Moves past a whole group, its NLRI checked without being read.
     *
     * @return the number of its events, -1 after the last group
     */
    int skipGroup() {
        if (groupsLeft == 0) {
            end();
            return -1;
        }
        enterGroup();
        int events = eventsLeft;
        if (kind().isRoute() && countNlri() != events) {
            throw new WireFormatException("group does not hold " + events + " whole NLRI", group);
        }
        eventsLeft = 0;
        return events;
    }

    private int countNlri() {
        int flags = bytes[group + GROUP_FLAGS];
        boolean withdrawalForm = kind() == EventKind.WITHDRAW && (flags & FLAG_ANNOUNCED_FORM) == 0;
        return NlriFormat.count(family(), bytes, nextNlri, groupEnd, (flags & FLAG_PATH_IDS) != 0, withdrawalForm);
    }

    private boolean end() {
        if (groupEnd != bytes.length) {
            throw new WireFormatException("bytes after the last group", groupEnd);
        }
        return false;
    }

    private void enterGroup() {
        group = groupEnd;
        if (group + GROUP_BYTES > bytes.length) {
            throw new WireFormatException("group runs over the end", group);
        }
        kind = EventKind.of(bytes[group + GROUP_KIND], group).code();
        int length = (int) RouteBatch.INT.get(bytes, group + GROUP_LENGTH);
        if (length < 0 || length > bytes.length - group - GROUP_BYTES) {
            throw new WireFormatException("group of " + Integer.toUnsignedString(length) + " bytes", group);
        }
        if (peerIndex() >= batch.peerCount() || attributes() >= batch.attributeSetCount() || attributes() < NO_SET) {
            throw new WireFormatException("group points outside the tables", group);
        }
        if (peerIndex() < 0 && kind().hasPeer()) {
            throw new WireFormatException(kind() + " without a peer", group);
        }
        if (kind() == EventKind.COLLECTOR_START && batch.version() < VERSION_3) {
            throw new WireFormatException(kind() + " in version " + batch.version(), group);
        }
        if ((kind() == EventKind.ANNOUNCE) != (attributes() != NO_SET)) {
            throw new WireFormatException(kind() + " with attribute set " + attributes(), group + GROUP_SET);
        }
        eventsLeft = (int) RouteBatch.INT.get(bytes, group + GROUP_COUNT);
        if (eventsLeft < 0 || (kind().isRoute() ? eventsLeft > length : eventsLeft != 1 || length != 0)) {
            throw new WireFormatException("group of " + Integer.toUnsignedString(eventsLeft) + " events", group);
        }
        nextNlri = group + GROUP_BYTES + markingBytes();
        if (length > bytes.length - nextNlri) {
            throw new WireFormatException("group of " + length + " bytes", group);
        }
        groupEnd = nextNlri + length;
        position = -1;
        groupsLeft--;
        if (eventsLeft == 0 && length != 0) {
            throw new WireFormatException("group of no events has bytes", group);
        }
    }

    private int markingBytes() {
        int flags = bytes[group + GROUP_FLAGS] & (FLAG_MARKING | FLAG_REASON);
        if (flags == 0 || batch.version() == VERSION_1) {
            return 0;
        }
        if (kind() != EventKind.ANNOUNCE || (flags & FLAG_MARKING) == 0) {
            throw new WireFormatException(kind() + " with flags " + flags, group + GROUP_FLAGS);
        }
        if (group + GROUP_BYTES + MARKING_BYTES > bytes.length) {
            throw new WireFormatException("path marking runs over the end", group);
        }
        return MARKING_BYTES;
    }

    private void readNlri() {
        try {
            int flags = bytes[group + GROUP_FLAGS];
            nlri.read(family(), bytes, nextNlri, groupEnd, (flags & FLAG_PATH_IDS) != 0, !announcedForm());
        } catch (DecodeException e) {
            throw new WireFormatException(e.reason(), e.offset());
        }
        nextNlri = nlri.to();
        if (eventsLeft == 0 && nextNlri != groupEnd) {
            throw new WireFormatException("bytes after the group's last NLRI", nextNlri);
        }
    }

    public EventKind kind() {
        return EventKind.at(kind);
    }

    /** Index into the batch's peer table, -1 for SESSION_UP and SESSION_DOWN. */
    public int peerIndex() {
        int index = (short) RouteBatch.SHORT.get(bytes, group + GROUP_PEER) & 0xFFFF;
        return index == NO_PEER ? -1 : index;
    }

    /** AFI and SAFI as one number, see {@link dev.silkroute.net.Family}; 0 where the event has none. */
    public int family() {
        return (int) RouteBatch.INT.get(bytes, group + GROUP_FAMILY);
    }

    /** Index of the attribute set of an announcement, else -1. */
    public int attributes() {
        return (int) RouteBatch.INT.get(bytes, group + GROUP_SET);
    }

    /** Message number within the session × 65,536 + position within the message: a total order of a session's events. */
    public long sequence() {
        return (long) RouteBatch.LONG.get(bytes, group + GROUP_SEQUENCE) + position;
    }

    /** The router's own time of the event in microseconds since 1970, 0 if it gave none. */
    public long routerTimeMicros() {
        return (long) RouteBatch.LONG.get(bytes, group + GROUP_ROUTER_TIME);
    }

    /** Whether the station made this event, not the router. */
    public boolean synthetic() {
        return (bytes[group + GROUP_FLAGS] & FLAG_SYNTHETIC) != 0;
    }

    /**
     * Whether an announcement is part of a table that the router sends from its beginning: it came after the Peer Up and
     * before the End-of-RIB of its peer, view and family. So it may say what was known from an earlier session.
     */
    public boolean tableDump() {
        return batch.version() >= VERSION_3
                && kind() == EventKind.ANNOUNCE
                && (bytes[group + GROUP_FLAGS] & FLAG_TABLE_DUMP) != 0;
    }

    /** How the router has marked an announced path, {@link PathMarking#NONE} if it has not. */
    public long marking() {
        int flags = batch.version() == VERSION_1 ? 0 : bytes[group + GROUP_FLAGS];
        if ((flags & FLAG_MARKING) == 0) {
            return PathMarking.NONE;
        }
        int status = (int) RouteBatch.INT.get(bytes, group + GROUP_BYTES);
        return (flags & FLAG_REASON) == 0
                ? PathMarking.of(status)
                : PathMarking.of(status, (short) RouteBatch.SHORT.get(bytes, group + GROUP_BYTES + MARKING_REASON));
    }

    /** Whether the NLRI has the form of an announcement: so has a withdrawal by treat-as-withdraw (RFC 7606). */
    public boolean announcedForm() {
        return kind() == EventKind.ANNOUNCE || (bytes[group + GROUP_FLAGS] & FLAG_ANNOUNCED_FORM) != 0;
    }

    /**
     * For PEER_DOWN: whether every view of the peer ends, not only the entry's. For a synthetic END_OF_RIB, which has no family then:
     * whether it speaks of all tables of the peer.
     */
    public boolean allViews() {
        return (bytes[group + GROUP_FLAGS] & FLAG_ALL_VIEWS) != 0;
    }

    /** The NLRI of a withdrawal or announcement; the same reader for every event. */
    public NlriReader nlri() {
        return nlri;
    }
}
