package dev.silkroute.bmp;

import dev.silkroute.bgp.Notification;
import dev.silkroute.bmp.PeerDownReason.Data;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A Peer Down message (RFC 7854, Section 4.9; RFC 9069, Section 5.3): {@code u8 reason}, then what {@link
 * PeerDownReason} lists. In version 4 TLVs may follow any reason (draft-ietf-grow-bmp-tlv, Section 5.3).
 *
 * <p>The data after the reason may be malformed: the peer is down all the same, and the bytes are kept.
 *
 * @param dataFrom absolute offset of the bytes after the reason
 * @param data these bytes
 */
public record PeerDown(int version, int reasonCode, int dataFrom, Bytes data) {
    private static final int EVENT_LENGTH = 2;

    /** Decodes a body. @param from the byte after the per-peer header */
    public static PeerDown decode(byte[] b, int from, int to, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.9");
        int reason = cursor.u8();
        return new PeerDown(version, reason, cursor.position(), cursor.bytes(cursor.remaining()));
    }

    /** Returns the text of the reason, {@code reason N} for unknown ones. */
    public String reasonText() {
        PeerDownReason reason = PeerDownReason.of(reasonCode);
        return reason == null ? "reason " + reasonCode : reason.text();
    }

    private Data form() {
        PeerDownReason reason = PeerDownReason.of(reasonCode);
        return reason == null ? Data.NOTHING : reason.data();
    }

    /**
     * Returns the event of RFC 4271, Section 8.1 that closed the session, 0 if none of them did; empty for other
     * reasons.
     */
    public OptionalInt fsmEvent() {
        return form() == Data.FSM_EVENT && data.length() >= EVENT_LENGTH
                ? OptionalInt.of(data.u16(0))
                : OptionalInt.empty();
    }

    /** Returns the NOTIFICATION; null for reasons without one, and if it is malformed. */
    public @Nullable Notification notification() {
        return form() == Data.NOTIFICATION ? Notification.read(data.toArray(), 0, data.length()) : null;
    }

    /** Returns the TLVs that follow; empty if there are none, and if they are malformed. */
    public List<Tlv> tlvs() {
        int from = tlvsFrom();
        if (from < 0) {
            return List.of();
        }
        try {
            return Tlv.readAll(new ByteCursor(data.toArray(), from, data.length(), "RFC 9069, Section 5.3"), version);
        } catch (DecodeException e) {
            return List.of();
        }
    }

    /** Returns where in the data TLVs begin, -1 if there cannot be any. */
    private int tlvsFrom() {
        Data form = form();
        if (form == Data.TLVS) {
            return 0;
        }
        if (version < BmpMessages.VERSION_4) {
            return -1;
        }
        return switch (form) {
            case NOTIFICATION -> {
                Notification notification = notification();
                yield notification == null ? -1 : notification.length();
            }
            case FSM_EVENT -> data.length() < EVENT_LENGTH ? -1 : EVENT_LENGTH;
            case NOTHING, TLVS -> 0;
        };
    }
}
