package dev.silkroute.bmp;

import dev.silkroute.bgp.Notification;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Peer Down (RFC 7854, Section 4.9; RFC 9069, Section 5.3).
 *
 * <pre>
 * u8 reason | 1, 3: NOTIFICATION message | 2: u16 FSM event | 4, 5: nothing | 6: TLVs
 * </pre>
 *
 * In version 4 TLVs may follow after any of these (draft-ietf-grow-bmp-tlv, Section 5.3).
 *
 * <p>What follows the reason is the router's own affair: if it is not what it should be, the peer is down all the same, and the bytes are kept.
 *
 * @param dataFrom absolute offset of the bytes after the reason
 * @param data these bytes
 */
public record PeerDown(int version, int reasonCode, int dataFrom, Bytes data) {
    public static final int TABLE_NAME = 3;

    private static final int LOCAL_NOTIFICATION = 1;
    private static final int LOCAL_EVENT = 2;
    private static final int REMOTE_NOTIFICATION = 3;
    private static final int LOCAL_TLVS = 6;
    private static final int EVENT_LENGTH = 2;

    /** As version 3 has it; {@code from} is the byte after the per-peer header. */
    public static PeerDown decode(byte[] b, int from, int to) {
        return decode(b, from, to, BmpMessages.VERSION);
    }

    /** {@code from} is the byte after the per-peer header. */
    public static PeerDown decode(byte[] b, int from, int to, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.9");
        int reason = cursor.u8();
        return new PeerDown(version, reason, cursor.position(), cursor.bytes(cursor.remaining()));
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
        return reasonCode == LOCAL_EVENT && data.length() >= EVENT_LENGTH
                ? OptionalInt.of(data.u16(0))
                : OptionalInt.empty();
    }

    /** Of reasons 1 and 3; null for others, and if it is none. */
    public @Nullable Notification notification() {
        return reasonCode == LOCAL_NOTIFICATION || reasonCode == REMOTE_NOTIFICATION
                ? Notification.read(data.toArray(), 0, data.length())
                : null;
    }

    /** Error code of the NOTIFICATION (RFC 4271, Section 4.5). */
    public OptionalInt notificationCode() {
        Notification notification = notification();
        return notification == null ? OptionalInt.empty() : OptionalInt.of(notification.code());
    }

    public OptionalInt notificationSubcode() {
        Notification notification = notification();
        return notification == null ? OptionalInt.empty() : OptionalInt.of(notification.subcode());
    }

    /** The TLVs after what the reason brings; empty if there are none, and if they are malformed. */
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

    /** Where in the data TLVs begin, -1 where there is no place for them. */
    private int tlvsFrom() {
        if (reasonCode == LOCAL_TLVS) {
            return 0;
        }
        if (version < BmpMessages.VERSION_4) {
            return -1;
        }
        return switch (reasonCode) {
            case LOCAL_NOTIFICATION, REMOTE_NOTIFICATION -> {
                Notification notification = notification();
                yield notification == null ? -1 : notification.length();
            }
            case LOCAL_EVENT -> data.length() < EVENT_LENGTH ? -1 : EVENT_LENGTH;
            default -> 0;
        };
    }

    /** Name of the VRF or table, which may come with reason 6. */
    public Optional<String> tableName() {
        return Tlv.texts(tlvs(), TABLE_NAME).stream().findFirst();
    }
}
