package dev.silkroute.bmp;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.open.AddPathMode;
import dev.silkroute.bgp.open.Capability;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where the UPDATE of a Route Monitoring message is, and what stands beside it. Read again and again; nothing is allocated but by methods that
 * say so. Not thread-safe. The array must not change until the message is done with.
 *
 * <p>In version 3 the UPDATE is the body (RFC 7854, Section 4.6). In version 4 the body is TLVs, and one of them holds it
 * (draft-ietf-grow-bmp-tlv, Section 5.2):
 *
 * <pre>
 * u16 type | u16 length of the value | u16 index | value
 * </pre>
 *
 * Index 0 means every NLRI of the UPDATE, 1 the first one, and with the highest bit the group of NLRI that a Group TLV lists. A type's highest
 * bit makes it a vendor's own, with the vendor's number (u32) at the beginning of its value.
 */
public final class RouteMonitoring {
    public static final int GROUP_BIT = 0x8000;

    private static final String SECTION = "draft-ietf-grow-bmp-tlv, Section 5.2";
    private static final int TLV_HEADER = 6;

    private byte[] bytes = new byte[0];
    private int bodyFrom;
    private int bodyTo;
    private boolean indexed;
    private TlvRevision revision = TlvRevision.DRAFT_19;
    private int updateFrom;
    private int updateTo;
    private boolean marked;
    private boolean stateless;
    private int unknown;
    private int misshapen;

    private int next;
    private int type;
    private int index;
    private int valueFrom;
    private int valueTo;
    private RouteMonitoringTlv kind = RouteMonitoringTlv.UNKNOWN;

    /**
     * Finds the UPDATE of the whole message {@code from..to}, common header included.
     *
     * @throws DecodeException if the message ends before its body, or if its TLVs hold no UPDATE, or two
     */
    public void read(byte[] b, int from, int to) {
        bytes = b;
        bodyFrom = from + BmpMessages.PEER_BODY;
        bodyTo = to;
        indexed = BmpMessages.version(b, from) >= BmpMessages.VERSION_4;
        marked = false;
        stateless = false;
        unknown = 0;
        misshapen = 0;
        if (bodyFrom > to) {
            throw new DecodeException("message ends within the per-peer header", from, "RFC 7854, Section 4.2");
        }
        if (indexed) {
            frame();
            chooseRevision();
            locate();
        } else {
            updateFrom = bodyFrom;
            updateTo = to;
            rewind();
        }
    }

    /** Every TLV ends within the message. */
    private void frame() {
        for (int at = bodyFrom; at < bodyTo; ) {
            if (bodyTo - at < TLV_HEADER) {
                throw new DecodeException("message ends within a TLV header", at, SECTION);
            }
            int length = BigEndian.u16(bytes, at + 2);
            if (length > bodyTo - at - TLV_HEADER) {
                throw new DecodeException("TLV of " + length + " bytes runs over the end of the message", at, SECTION);
            }
            at += TLV_HEADER + length;
        }
    }

    private void chooseRevision() {
        TlvRevision chosen = TlvRevision.DRAFT_19;
        int best = Integer.MIN_VALUE;
        for (int i = 0; i < TlvRevision.count(); i++) {
            TlvRevision candidate = TlvRevision.at(i);
            int fitting = fitting(candidate);
            if (fitting > best) {
                best = fitting;
                chosen = candidate;
            }
        }
        revision = chosen;
    }

    /** How many more TLVs have the shape of their type than have not; a revision that finds no UPDATE is the last choice. */
    private int fitting(TlvRevision candidate) {
        int fitting = 0;
        boolean found = false;
        rewind(candidate);
        while (next()) {
            found |= kind == RouteMonitoringTlv.BGP_MESSAGE;
            switch (kind) {
                case MISSHAPEN -> fitting--;
                case UNKNOWN -> {}
                default -> fitting++;
            }
        }
        return found ? fitting : Integer.MIN_VALUE;
    }

    private void locate() {
        boolean found = false;
        rewind();
        while (next()) {
            switch (kind) {
                case BGP_MESSAGE -> {
                    if (found) {
                        throw new DecodeException("second BGP Message TLV", valueFrom - TLV_HEADER, SECTION);
                    }
                    found = true;
                    updateFrom = valueFrom;
                    updateTo = valueTo;
                }
                case PATH_MARKING -> marked = true;
                case STATELESS_PARSING -> stateless = true;
                case UNKNOWN -> unknown++;
                case MISSHAPEN -> misshapen++;
                default -> {}
            }
        }
        if (!found) {
            throw new DecodeException("no BGP Message TLV", bodyFrom, SECTION);
        }
    }

    /** Absolute offset of the BGP message. */
    public int updateFrom() {
        return updateFrom;
    }

    public int updateTo() {
        return updateTo;
    }

    /** Whether the message has path markings; {@link PathMarkings} says which NLRI they are for. */
    public boolean marked() {
        return marked;
    }

    /** Whether the message says by itself how the UPDATE is encoded. */
    public boolean stateless() {
        return stateless;
    }

    /** TLVs of types that mean nothing here, vendors' own among them. */
    public int unknown() {
        return unknown;
    }

    /** TLVs of known types with values that can't be theirs. */
    public int misshapen() {
        return misshapen;
    }

    /** The numbering that the TLVs are read by. */
    public TlvRevision revision() {
        return revision;
    }

    /** Before the first TLV; a message of version 3 has none. */
    public void rewind() {
        rewind(revision);
    }

    private void rewind(TlvRevision by) {
        revision = by;
        next = indexed ? bodyFrom : bodyTo;
    }

    /** Moves to the next TLV; false after the last. */
    public boolean next() {
        if (next >= bodyTo) {
            return false;
        }
        type = BigEndian.u16(bytes, next);
        index = BigEndian.u16(bytes, next + 4);
        valueFrom = next + TLV_HEADER;
        valueTo = valueFrom + BigEndian.u16(bytes, next + 2);
        kind = revision.kind(type, index, bytes, valueFrom, valueTo);
        next = valueTo;
        return true;
    }

    public RouteMonitoringTlv kind() {
        return kind;
    }

    /** As it stands in the message. */
    public int type() {
        return type;
    }

    /** 0 for all NLRI, 1 for the first one, with {@link #GROUP_BIT} a group. */
    public int index() {
        return index;
    }

    /** Absolute offset of the value. */
    public int valueFrom() {
        return valueFrom;
    }

    public int valueTo() {
        return valueTo;
    }

    /** Name of the VRF or table. Allocates, and moves the TLV cursor. */
    public Optional<String> tableName() {
        rewind();
        while (next()) {
            if (kind == RouteMonitoringTlv.TABLE_NAME) {
                return Optional.of(Bytes.copyOf(bytes, valueFrom, valueTo).text());
            }
        }
        return Optional.empty();
    }

    /** Whether the UPDATE is said to have four-octet AS numbers (RFC 6793). Moves the TLV cursor. */
    public boolean saysFourOctetAs() {
        return findCapability(Capability.FOUR_OCTET_AS);
    }

    /** Whether the UPDATE is said to have path identifiers or not, in whatever family (RFC 7911). Moves the TLV cursor. */
    public boolean saysAddPath() {
        return findCapability(Capability.ADD_PATH);
    }

    private boolean findCapability(int code) {
        rewind();
        while (stateless && next()) {
            if (isCapability(code)) {
                return true;
            }
        }
        return false;
    }

    private boolean isCapability(int code) {
        return kind == RouteMonitoringTlv.STATELESS_PARSING && BigEndian.u8(bytes, valueFrom) == code;
    }

    /**
     * Families that are said to have path identifiers: those in which the router receives them for what it received, sends them for what it
     * sends, and either for its Loc-RIB, as in the OPEN whose capability this is. Allocates, and moves the TLV cursor.
     */
    public AddPathFamilies addPath(RibView view) {
        List<Integer> families = new ArrayList<>();
        rewind();
        while (stateless && next()) {
            if (isCapability(Capability.ADD_PATH)) {
                for (int at = valueFrom + 2; at + 4 <= valueTo; at += 4) {
                    AddPathMode mode = AddPathMode.of(BigEndian.u8(bytes, at + 3));
                    boolean in = mode.receives() && !view.adjRibOut();
                    boolean out = mode.sends() && (view.adjRibOut() || view == RibView.LOC_RIB);
                    if (in || out) {
                        families.add(Family.of(BigEndian.u16(bytes, at), BigEndian.u8(bytes, at + 2)));
                    }
                }
            }
        }
        return AddPathFamilies.of(families);
    }
}
