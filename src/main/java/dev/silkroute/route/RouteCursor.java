package dev.silkroute.route;

import static dev.silkroute.route.WireFormat.*;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.DecodeException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the events of a {@link RouteBatch} in order, one step per NLRI or other event. The accessors read the
 * current event's fields from the record's bytes; nothing is allocated per event.
 *
 * <p>Not thread-safe.
 */
public final class RouteCursor {
    private RouteBatch batch;
    private byte[] bytes;
    private final NlriReader nlri = new NlriReader();

    private int groupsLeft;
    /** Offset of the current group. */
    private int group;

    private int groupEnd;
    private int eventsLeft;
    /** Index of the current event within its group. */
    private int position;

    private int nextNlri;
    /** Offset of the current NLRI, with its path identifier. */
    private int nlriStart;

    /** {@link EventKind#code} of the current group. */
    private int kind = EventKind.SESSION_UP.code();

    /** The fields of the current group that every NLRI of it is read with. */
    private boolean route;

    private int family;
    private boolean pathIds;
    private boolean withdrawalForm;

    RouteCursor(RouteBatch batch) {
        this.batch = batch;
        bytes = batch.bytes();
        groupsLeft = batch.groupCount();
        groupEnd = batch.groupsAt();
    }

    /** Moves before the first event of another batch. */
    void move(RouteBatch to) {
        batch = to;
        bytes = to.bytes();
        groupsLeft = to.groupCount();
        groupEnd = to.groupsAt();
        eventsLeft = 0;
    }

    /**
     * Returns a cursor on the same event that has no next one.
     *
     * @param reuse a cursor that is no longer needed, or null to allocate one
     */
    public RouteCursor copy(@Nullable RouteCursor reuse) {
        RouteCursor copy = reuse == null ? new RouteCursor(batch) : reuse;
        copy.copyFrom(this);
        return copy;
    }

    private void copyFrom(RouteCursor other) {
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
        route = other.route;
        family = other.family;
        pathIds = other.pathIds;
        withdrawalForm = other.withdrawalForm;
        if (route) {
            nlri.copy(other.nlri);
        }
    }

    /**
     * Moves to the next event.
     *
     * @return false after the last event
     * @throws WireFormatException if the next event is not valid, which {@link RouteBatch#read} rules out unless the
     *     bytes have been changed since
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
        if (route) {
            readNlri();
        }
        return true;
    }

    /**
     * Validates a whole group, counting its NLRI without reading them, and moves past it.
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
        if (route && NlriFormat.count(family, bytes, nextNlri, groupEnd, pathIds, withdrawalForm) != events) {
            throw new WireFormatException("group does not hold " + events + " whole NLRI", group);
        }
        eventsLeft = 0;
        return events;
    }

    private boolean end() {
        if (groupEnd != bytes.length) {
            throw new WireFormatException("record has bytes behind its last group", groupEnd);
        }
        return false;
    }

    private void enterGroup() {
        group = groupEnd;
        if (group + GROUP_BYTES > bytes.length) {
            throw new WireFormatException("group exceeds the record", group);
        }
        enterKind(EventKind.of(bytes[group + GROUP_KIND], group));
        int length = (int) RouteBatch.INT.get(bytes, group + GROUP_LENGTH);
        if (length < 0 || length > bytes.length - group - GROUP_BYTES) {
            throw new WireFormatException(
                    "group length " + Integer.toUnsignedString(length) + " exceeds the record", group);
        }
        checkReferences();
        eventsLeft = (int) RouteBatch.INT.get(bytes, group + GROUP_COUNT);
        if (eventsLeft < 0 || (route ? eventsLeft > length : eventsLeft != 1 || length != 0)) {
            throw new WireFormatException(
                    "group has an invalid event count " + Integer.toUnsignedString(eventsLeft), group);
        }
        nextNlri = group + GROUP_BYTES + markingBytes();
        if (length > bytes.length - nextNlri) {
            throw new WireFormatException("group length " + length + " exceeds the record", group);
        }
        groupEnd = nextNlri + length;
        position = -1;
        groupsLeft--;
        if (eventsLeft == 0 && length != 0) {
            throw new WireFormatException("group without events has NLRI bytes", group);
        }
    }

    private void enterKind(EventKind of) {
        int flags = bytes[group + GROUP_FLAGS];
        kind = of.code();
        route = of.isRoute();
        family = (int) RouteBatch.INT.get(bytes, group + GROUP_FAMILY);
        pathIds = (flags & FLAG_PATH_IDS) != 0;
        withdrawalForm = of != EventKind.ANNOUNCE && (flags & FLAG_ANNOUNCED_FORM) == 0;
    }

    /** A method of its own, so that the JIT inlines it and {@link #enterGroup}. */
    private void checkReferences() {
        if (peerIndex() >= batch.peerCount()
                || attributeSet() >= batch.attributeSetCount()
                || attributeSet() < NO_SET) {
            throw new WireFormatException("group refers to a peer or attribute set that does not exist", group);
        }
        if (peerIndex() < 0 && kind().hasPeer()) {
            throw new WireFormatException(kind() + " without a peer", group);
        }
        if ((kind() == EventKind.ANNOUNCE) != (attributeSet() != NO_SET)) {
            throw new WireFormatException(kind() + " with attribute set " + attributeSet(), group + GROUP_SET);
        }
    }

    private int markingBytes() {
        int flags = bytes[group + GROUP_FLAGS] & (FLAG_MARKING | FLAG_REASON);
        if (flags == 0) {
            return 0;
        }
        if (kind() != EventKind.ANNOUNCE || (flags & FLAG_MARKING) == 0) {
            throw new WireFormatException(kind() + " with path marking flags " + flags, group + GROUP_FLAGS);
        }
        if (group + GROUP_BYTES + MARKING_BYTES > bytes.length) {
            throw new WireFormatException("path marking exceeds the record", group);
        }
        return MARKING_BYTES;
    }

    private void readNlri() {
        nlriStart = nextNlri;
        try {
            nlri.read(family, bytes, nextNlri, groupEnd, pathIds, withdrawalForm);
        } catch (DecodeException e) {
            throw new WireFormatException(e.reason(), e.offset());
        }
        nextNlri = nlri.to();
        if (eventsLeft == 0 && nextNlri != groupEnd) {
            throw new WireFormatException("group has bytes behind its last NLRI", nextNlri);
        }
    }

    /** Offset of the current NLRI, or of its path identifier if it has one. */
    int nlriStart() {
        return nlriStart;
    }

    /** Returns whether the next event is in the group of the current one. */
    boolean hasNextInGroup() {
        return eventsLeft > 0;
    }

    int groupFlags() {
        return bytes[group + GROUP_FLAGS] & 0xFF;
    }

    int markingStart() {
        return group + GROUP_BYTES;
    }

    int markingEnd() {
        return markingStart() + ((groupFlags() & FLAG_MARKING) == 0 ? 0 : MARKING_BYTES);
    }

    /** Returns whether the event is the first of its group. */
    public boolean startsGroup() {
        return position == 0;
    }

    public EventKind kind() {
        return EventKind.at(kind);
    }

    /** Index into the batch's peer table, -1 if the kind {@linkplain EventKind#hasPeer has no peer}. */
    public int peerIndex() {
        int index = (short) RouteBatch.SHORT.get(bytes, group + GROUP_PEER) & 0xFFFF;
        return index == NO_PEER ? -1 : index;
    }

    /** AFI and SAFI as one number, see {@link dev.silkroute.net.Family}; 0 if the event has none. */
    public int family() {
        return family;
    }

    /** Index of the attribute set of an announcement, -1 for other events. */
    public int attributeSet() {
        return (int) RouteBatch.INT.get(bytes, group + GROUP_SET);
    }

    /**
     * Message number within the session × 65,536 + position within the message: a total order of the session's events.
     */
    public long sequence() {
        return (long) RouteBatch.LONG.get(bytes, group + GROUP_SEQUENCE) + position;
    }

    /** The router's time of the event in microseconds since 1970, 0 if it gave none. */
    public long routerTimeMicros() {
        return (long) RouteBatch.LONG.get(bytes, group + GROUP_ROUTER_TIME);
    }

    /** Returns whether the station generated the event, not the router. */
    public boolean synthetic() {
        return (bytes[group + GROUP_FLAGS] & FLAG_SYNTHETIC) != 0;
    }

    /**
     * Returns whether the event is an announcement within an initial table dump, that is between the Peer Up and the
     * End-of-RIB of its peer, view and family. It may repeat a route that an earlier session announced.
     */
    public boolean isTableDump() {
        return kind() == EventKind.ANNOUNCE && (bytes[group + GROUP_FLAGS] & FLAG_TABLE_DUMP) != 0;
    }

    /** The path marking of an announcement, {@link PathMarking#NONE} if the router sent none. */
    public long marking() {
        int flags = bytes[group + GROUP_FLAGS];
        if ((flags & FLAG_MARKING) == 0) {
            return PathMarking.NONE;
        }
        int status = (int) RouteBatch.INT.get(bytes, group + GROUP_BYTES);
        return (flags & FLAG_REASON) == 0
                ? PathMarking.of(status)
                : PathMarking.of(status, (short) RouteBatch.SHORT.get(bytes, group + GROUP_BYTES + MARKING_REASON));
    }

    /**
     * Returns whether the NLRI has the form of an announcement. A withdrawal has it after treat-as-withdraw (RFC 7606).
     */
    public boolean hasAnnouncedForm() {
        return !withdrawalForm;
    }

    /**
     * Returns for PEER_DOWN whether the peer ends in every RIB view, not only in that of its {@link PeerEntry}. For
     * END_OF_RIB, it returns whether it stands for all tables of the peer, in every view; such an event is synthetic
     * and has no family.
     */
    public boolean coversAllViews() {
        return (bytes[group + GROUP_FLAGS] & FLAG_ALL_VIEWS) != 0;
    }

    /** The NLRI of a withdrawal or announcement. The same reader is returned for every event. */
    public NlriReader nlri() {
        return nlri;
    }
}
