package dev.silkroute.bmp;

import dev.silkroute.net.ByteCursor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The body of an Initiation or Termination message: TLVs only (RFC 7854, Sections 4.3 and 4.5). */
public record InformationTlvs(List<Tlv> tlvs) {
    /** In both: free text, repeatable. */
    public static final int STRING = 0;
    /** In Initiation. */
    public static final int SYS_DESCR = 1;
    /** In Initiation. */
    public static final int SYS_NAME = 2;
    /** In Termination. */
    public static final int REASON = 1;

    private static final int REASON_LENGTH = 2;

    /** As version 3 has it; {@code from} is the byte after the common header. */
    public static InformationTlvs decode(byte[] b, int from, int to) {
        return decode(b, from, to, BmpMessages.VERSION);
    }

    /** {@code from} is the byte after the common header. */
    public static InformationTlvs decode(byte[] b, int from, int to, int version) {
        return new InformationTlvs(Tlv.readAll(new ByteCursor(b, from, to, "RFC 7854, Section 4.4"), version));
    }

    public Optional<String> sysName() {
        return text(SYS_NAME);
    }

    public Optional<String> sysDescr() {
        return text(SYS_DESCR);
    }

    /** Texts of all String TLVs, in their order. */
    public List<String> strings() {
        return Tlv.texts(tlvs, STRING);
    }

    /** TLVs of other types than the three of an Initiation. */
    public List<Tlv> othersOfInitiation() {
        return tlvs.stream()
                .filter(tlv -> !tlv.is(STRING) && !tlv.is(SYS_DESCR) && !tlv.is(SYS_NAME))
                .toList();
    }

    /** TLVs of other types than the two of a Termination. */
    public List<Tlv> othersOfTermination() {
        return tlvs.stream()
                .filter(tlv ->
                        !tlv.is(STRING) && !(tlv.is(REASON) && tlv.value().length() == REASON_LENGTH))
                .toList();
    }

    /** Why a Termination ends the session; empty if it does not say. */
    public OptionalInt reasonCode() {
        return tlvs.stream()
                .filter(tlv -> tlv.is(REASON) && tlv.value().length() == REASON_LENGTH)
                .mapToInt(tlv -> tlv.value().u16(0))
                .findFirst();
    }

    /** IANA "BMP Termination Message TLVs", reasons (RFC 7854, Section 4.5). */
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

    private Optional<String> text(int type) {
        return tlvs.stream().filter(tlv -> tlv.is(type)).map(Tlv::text).findFirst();
    }
}
