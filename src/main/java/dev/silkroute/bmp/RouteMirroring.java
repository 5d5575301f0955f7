package dev.silkroute.bmp;

import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Route Mirroring (RFC 7854, Section 4.7): BGP messages verbatim, several if there are several, and what the router has to say about them.
 *
 * @param entries in the order of the message
 */
public record RouteMirroring(List<Entry> entries) {
    public static final int BGP_MESSAGE = 0;
    public static final int INFORMATION = 1;
    public static final int ERRORED_PDU = 0;
    public static final int MESSAGES_LOST = 1;

    /**
     * @param type {@link #BGP_MESSAGE}, {@link #INFORMATION}, or anything else, without the bit of {@code enterprise}
     * @param enterprise the vendor whose own type it is, null for IANA's
     * @param from absolute offset of the value, which stays in the given array
     * @param information the code of an information TLV, -1 for others
     */
    public record Entry(int type, @Nullable Long enterprise, int from, int to, int information) {
        public boolean isBgpMessage() {
            return type == BGP_MESSAGE && enterprise == null;
        }

        /**
         * {@code bgp-message}, {@code errored-pdu}, {@code messages-lost}, {@code information-N}, {@code type-N} or
         * {@code enterprise-E-type-N}.
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

    /** As version 3 has it; {@code from} is the byte after the per-peer header. */
    public static RouteMirroring decode(byte[] b, int from, int to) {
        return decode(b, from, to, BmpMessages.VERSION);
    }

    /** {@code from} is the byte after the per-peer header. */
    public static RouteMirroring decode(byte[] b, int from, int to, int version) {
        ByteCursor cursor = new ByteCursor(b, from, to, "RFC 7854, Section 4.7");
        List<Entry> entries = new ArrayList<>();
        while (cursor.hasRemaining()) {
            if (entries.size() == Tlv.MOST) {
                throw cursor.fault("more than " + Tlv.MOST + " TLVs");
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

    /** Whether the router says that it could not mirror everything. */
    public boolean messagesLost() {
        return entries.stream().anyMatch(entry -> entry.information == MESSAGES_LOST);
    }
}
