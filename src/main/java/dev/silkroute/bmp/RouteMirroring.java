package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Route Mirroring message (RFC 7854, Section 4.7): BGP messages verbatim, and TLVs with information about them.
 *
 * @param entries in the order of the message
 */
public record RouteMirroring(List<Entry> entries) {
    public static final int BGP_MESSAGE = 0;
    public static final int INFORMATION = 1;
    public static final int ERRORED_PDU = 0;
    public static final int MESSAGES_LOST = 1;

    /**
     * One TLV.
     *
     * @param type {@link #BGP_MESSAGE}, {@link #INFORMATION} or another type, without the bit that marks a vendor's own
     * @param enterprise the vendor's IANA Private Enterprise Number, null for types assigned by IANA
     * @param from absolute offset of the value in the array that was decoded
     * @param information the code of an Information TLV, -1 for others
     */
    public record Entry(int type, @Nullable Long enterprise, int from, int to, int information) {
        public boolean isBgpMessage() {
            return type == BGP_MESSAGE && enterprise == null;
        }

        /**
         * Returns the name of the TLV: {@code bgp-message}, {@code errored-pdu}, {@code messages-lost}, {@code
         * information-N}, {@code type-N} or {@code enterprise-E-type-N}.
         */
        public String name() {
            if (enterprise != null) {
                return "enterprise-" + enterprise + "-type-" + type;
            }
            if (type == BGP_MESSAGE) {
                return "bgp-message";
            }
            if (type != INFORMATION || information < 0) {
                return "type-" + type;
            }
            return switch (information) {
                case ERRORED_PDU -> "errored-pdu";
                case MESSAGES_LOST -> "messages-lost";
                default -> "information-" + information;
            };
        }
    }

    /** Decodes a body. @param from the byte after the per-peer header */
    public static RouteMirroring decode(byte[] b, int from, int to, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.7");
        List<Entry> entries = new ArrayList<>();
        while (cursor.hasRemaining()) {
            if (entries.size() == Tlv.MAX_COUNT) {
                throw BmpFault.TOO_MANY_MIRRORED.at(cursor.position(), Tlv.MAX_COUNT);
            }
            int type = cursor.u16();
            int length = cursor.u16();
            int at = cursor.skip(length);
            if (Tlv.isEnterprise(type, length, version)) {
                long enterprise = BigEndian.u32(b, at);
                entries.add(new Entry(type & ~Tlv.ENTERPRISE_BIT, enterprise, at, at + length, -1));
            } else {
                int information = type == INFORMATION && length == 2 ? BigEndian.u16(b, at) : -1;
                entries.add(new Entry(type, null, at, at + length, information));
            }
        }
        return new RouteMirroring(List.copyOf(entries));
    }

    /** Returns whether the router reports that messages have been lost. */
    public boolean messagesLost() {
        return entries.stream().anyMatch(entry -> entry.information == MESSAGES_LOST);
    }
}
