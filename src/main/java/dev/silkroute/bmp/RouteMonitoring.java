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
 * Locates the UPDATE of a Route Monitoring message, and the TLVs beside it. In version 3 the UPDATE is the body (RFC
 * 7854, Section 4.6). In version 4 the body consists of {@link IndexedTlvs}, one of which contains it
 * (draft-ietf-grow-bmp-tlv, Section 5.2).
 *
 * <p>Reused from message to message; only methods that are documented to allocate do so. Not thread-safe. The array
 * must not change while the message is in use.
 */
public final class RouteMonitoring {
    private final IndexedTlvs tlvs = new IndexedTlvs();
    private byte[] bytes = new byte[0];
    private int updateFrom;
    private int updateTo;
    private boolean marked;
    private boolean stateless;
    private int unknown;
    private int invalid;

    /**
     * Locates the UPDATE of the whole message {@code from..to}, common header included.
     *
     * @throws DecodeException if the message ends before its body, or if its TLVs do not contain exactly one UPDATE
     */
    public void read(byte[] b, int from, int to) {
        int body = from + BmpMessages.PEER_BODY;
        bytes = b;
        marked = false;
        stateless = false;
        unknown = 0;
        invalid = 0;
        if (body > to) {
            throw BmpFault.PER_PEER_HEADER.at(from);
        }
        if (BmpMessages.version(b, from) < BmpMessages.VERSION_4) {
            updateFrom = body;
            updateTo = to;
            tlvs.read(b, to, to);
        } else {
            tlvs.read(b, body, to);
            chooseRevision();
            locate(body);
        }
    }

    private void chooseRevision() {
        TlvRevision chosen = TlvRevision.DRAFT_19;
        int best = Integer.MIN_VALUE;
        for (int i = 0; i < TlvRevision.count(); i++) {
            TlvRevision candidate = TlvRevision.at(i);
            int score = score(candidate);
            if (score > best) {
                best = score;
                chosen = candidate;
            }
        }
        tlvs.rewind(chosen);
    }

    /** Returns how many more TLVs are valid than invalid in a revision; without an UPDATE it is the last choice. */
    private int score(TlvRevision candidate) {
        int score = 0;
        boolean hasUpdate = false;
        tlvs.rewind(candidate);
        while (tlvs.next()) {
            hasUpdate |= tlvs.kind() == RouteMonitoringTlv.BGP_MESSAGE;
            switch (tlvs.kind()) {
                case INVALID -> score--;
                case UNKNOWN -> {}
                default -> score++;
            }
        }
        return hasUpdate ? score : Integer.MIN_VALUE;
    }

    private void locate(int body) {
        boolean hasUpdate = false;
        while (tlvs.next()) {
            switch (tlvs.kind()) {
                case BGP_MESSAGE -> {
                    if (hasUpdate) {
                        throw BmpFault.SECOND_UPDATE.at(tlvs.valueFrom() - IndexedTlvs.HEADER);
                    }
                    hasUpdate = true;
                    updateFrom = tlvs.valueFrom();
                    updateTo = tlvs.valueTo();
                }
                case PATH_MARKING -> marked = true;
                case STATELESS_PARSING -> stateless = true;
                case UNKNOWN -> unknown++;
                case INVALID -> invalid++;
                default -> {}
            }
        }
        if (!hasUpdate) {
            throw BmpFault.NO_UPDATE.at(body);
        }
        tlvs.rewind();
    }

    /** Returns the absolute offset of the BGP message. */
    public int updateFrom() {
        return updateFrom;
    }

    public int updateTo() {
        return updateTo;
    }

    /**
     * Returns the message's TLVs, none in version 3. The cursor is shared: each use begins with {@link
     * IndexedTlvs#rewind()}.
     */
    public IndexedTlvs tlvs() {
        return tlvs;
    }

    /** Returns whether the message has path markings, which {@link PathMarkings} assigns to NLRI. */
    public boolean marked() {
        return marked;
    }

    /** Returns whether the message itself states how the UPDATE is encoded. */
    public boolean stateless() {
        return stateless;
    }

    /** Returns the number of TLVs of unknown types, including vendors' own. */
    public int unknown() {
        return unknown;
    }

    /** Returns the number of TLVs of known types with invalid values. */
    public int invalid() {
        return invalid;
    }

    /** Returns the numbering by which the TLVs are read. */
    public TlvRevision revision() {
        return tlvs.revision();
    }

    /** Returns the name of the VRF or table. Allocates, and moves the cursor of {@link #tlvs}. */
    public Optional<String> tableName() {
        tlvs.rewind();
        return tlvs.next(RouteMonitoringTlv.TABLE_NAME)
                ? Optional.of(
                        Bytes.copyOf(bytes, tlvs.valueFrom(), tlvs.valueTo()).text())
                : Optional.empty();
    }

    /**
     * Returns whether the message states that the UPDATE has four-octet AS numbers (RFC 6793). Moves the cursor of
     * {@link #tlvs}.
     */
    public boolean statesFourOctetAs() {
        tlvs.rewind();
        return nextCapability(Capability.FOUR_OCTET_AS);
    }

    /**
     * Returns whether the message states in which families the UPDATE has path identifiers (RFC 7911). Moves the cursor
     * of {@link #tlvs}.
     */
    public boolean statesAddPath() {
        tlvs.rewind();
        return nextCapability(Capability.ADD_PATH);
    }

    private boolean nextCapability(int code) {
        while (stateless && tlvs.next(RouteMonitoringTlv.STATELESS_PARSING)) {
            if (BigEndian.u8(bytes, tlvs.valueFrom()) == code) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the families whose NLRI have path identifiers, from the same capability as in an OPEN: in an Adj-RIB-In
     * those in which the router receives them, in an Adj-RIB-Out those in which it sends them, in the Loc-RIB either.
     * Allocates, and moves the cursor of {@link #tlvs}.
     */
    public AddPathFamilies addPath(RibView view) {
        List<Integer> families = new ArrayList<>();
        tlvs.rewind();
        while (nextCapability(Capability.ADD_PATH)) {
            for (int at = tlvs.valueFrom() + 2; at + 4 <= tlvs.valueTo(); at += 4) {
                AddPathMode mode = AddPathMode.of(BigEndian.u8(bytes, at + 3));
                boolean in = mode.receives() && !view.adjRibOut();
                boolean out = mode.sends() && (view.adjRibOut() || view == RibView.LOC_RIB);
                if (in || out) {
                    families.add(Family.of(BigEndian.u16(bytes, at), BigEndian.u8(bytes, at + 2)));
                }
            }
        }
        return AddPathFamilies.of(families);
    }
}
