package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import java.util.List;
import java.util.OptionalInt;

/**
 * Peer Down (RFC 7854, Section 4.9; RFC 9069, Section 5.3).
 *
 * <pre>
 * u8 reason | 1, 3: NOTIFICATION message | 2: u16 FSM event | 4, 5: nothing | 6: TLVs
 * </pre>
 *
 * What follows the reason is the router's own affair: if it is not what it should be, the peer is down all the same, and the bytes are kept.
 *
 * @param dataFrom absolute offset of the bytes after the reason
 * @param data these bytes
 */
public record PeerDown(int reasonCode, int dataFrom, Bytes data) {
    private static final int LOCAL_NOTIFICATION = 1;
    private static final int LOCAL_EVENT = 2;
    private static final int REMOTE_NOTIFICATION = 3;
    private static final int LOCAL_TLVS = 6;
    private static final int BGP_HEADER = 19;
    private static final int TYPE_NOTIFICATION = 3;

    /** {@code from} is the byte after the per-peer header. */
    public static PeerDown decode(byte[] b, int from, int to) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.9");
        int reason = cursor.u8();
        return new PeerDown(reason, cursor.position(), cursor.bytes(cursor.remaining()));
    }

    public String reasonText() {
        return switch (reasonCode) {
            case LOCAL_NOTIFICATION -> "local system closed the session, NOTIFICATION sent";
            case LOCAL_EVENT -> "local system closed the session, no NOTIFICATION";
            case REMOTE_NOTIFICATION -> "remote system closed the session, NOTIFICATION received";
            case 4 -> "remote system closed the session, no NOTIFICATION";
            case 5 -> "peer de-configured";
            case LOCAL_TLVS -> "local system closed the session, TLV data follows";
            default -> "reason " + reasonCode;
        };
    }

    /** The event of RFC 4271, Section 8.1 that closed the session; 0 if none of them did. */
    public OptionalInt fsmEvent() {
        return reasonCode == LOCAL_EVENT && data.length() >= 2 ? OptionalInt.of(data.u16(0)) : OptionalInt.empty();
    }

    /** Error code of the NOTIFICATION (RFC 4271, Section 4.5). */
    public OptionalInt notificationCode() {
        return hasNotification() ? OptionalInt.of(data.u8(BGP_HEADER)) : OptionalInt.empty();
    }

    public OptionalInt notificationSubcode() {
        return hasNotification() ? OptionalInt.of(data.u8(BGP_HEADER + 1)) : OptionalInt.empty();
    }

    /** The TLVs of reason 6; empty for others, and if they are malformed. */
    public List<Tlv> tlvs() {
        byte[] b = data.toArray();
        int at = 0;
        while (at <= b.length - 4) {
            at += 4 + BigEndian.u16(b, at + 2);
        }
        return reasonCode == LOCAL_TLVS && at == b.length
                ? Tlv.readAll(new ByteCursor(b, 0, b.length, "RFC 9069, Section 5.3"))
                : List.of();
    }

    private boolean hasNotification() {
        return (reasonCode == LOCAL_NOTIFICATION || reasonCode == REMOTE_NOTIFICATION)
                && data.length() >= BGP_HEADER + 2
                && data.u8(BGP_HEADER - 1) == TYPE_NOTIFICATION;
    }
}
