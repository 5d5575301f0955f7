package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The body of an Initiation or Termination message, which consists of TLVs only (RFC 7854, Sections 4.3 and 4.5).
 *
 * @param tlvs in their order
 */
public record InformationTlvs(List<Tlv> tlvs) {
    /** Decodes a body of BMP version 3. */
    public static InformationTlvs decode(byte[] b, int from, int to) {
        return decode(b, from, to, BmpMessages.VERSION);
    }

    /** Decodes a body. @param from the byte after the common header */
    public static InformationTlvs decode(byte[] b, int from, int to, int version) {
        return new InformationTlvs(Tlv.readAll(new ByteCursor(b, from, to, "RFC 7854, Section 4.4"), version));
    }

    public Optional<String> sysName() {
        return Tlv.first(tlvs, TlvType.SYS_NAME).map(Tlv::text);
    }

    public Optional<String> sysDescr() {
        return Tlv.first(tlvs, TlvType.SYS_DESCR).map(Tlv::text);
    }

    /** Returns the texts of all String TLVs, in their order; Initiation and Termination have the same code for them. */
    public List<String> strings() {
        return Tlv.texts(tlvs, TlvType.INITIATION_STRING);
    }

    /** Returns why a Termination ends the session; empty if it contains no reason. */
    public OptionalInt reasonCode() {
        return tlvs.stream()
                .filter(TlvType.TERMINATION_REASON::matches)
                .mapToInt(tlv -> tlv.value().u16(0))
                .findFirst();
    }

    /**
     * Returns the text of a Termination's reason, {@code reason N} for unknown ones (RFC 7854, Sections 4.5 and 10.6).
     */
    public static String reasonText(int code) {
        return switch (code) {
            case 0 -> "session administratively closed";
            case 1 -> "unspecified reason";
            case 2 -> "out of resources";
            case 3 -> "redundant connection";
            case 4 -> "session permanently administratively closed";
            default -> "reason " + code;
        };
    }
}
