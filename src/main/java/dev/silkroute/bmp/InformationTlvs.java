package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import java.util.List;
import java.util.Optional;

/**
 * The body of an Initiation or Termination message, which consists of TLVs only (RFC 7854, Sections 4.3 and 4.5).
 *
 * @param tlvs in their order
 */
public record InformationTlvs(List<Tlv> tlvs) {

    /** Decodes a body. @param from the byte after the common header */
    public static InformationTlvs decode(byte[] b, int from, int to, int version) {
        return new InformationTlvs(Tlv.readAll(new ByteCursor(b, from, to, "RFC 7854, Section 4.4"), version));
    }

    public Optional<String> sysName() {
        return Tlv.first(tlvs, TlvType.SYS_NAME).map(Tlv::text);
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
