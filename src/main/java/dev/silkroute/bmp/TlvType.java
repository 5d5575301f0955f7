package dev.silkroute.bmp;

import java.util.Arrays;
import java.util.List;

/**
 * The known TLV types of Initiation, Termination, Peer Up and Peer Down, one row each: namespace, code, field in JSON
 * records, form of the value, source. Types of Route Monitoring are in {@link RouteMonitoringTlv}.
 */
public enum TlvType {
    /** RFC 7854, Section 4.4. */
    SYS_NAME(TlvSpace.INITIATION, 2, "sys_name", Form.TEXT),
    /** RFC 7854, Section 4.4. */
    SYS_DESCR(TlvSpace.INITIATION, 1, "sys_descr", Form.TEXT),
    /** RFC 7854, Section 4.4. */
    INITIATION_STRING(TlvSpace.INITIATION, 0, "information", Form.TEXTS),
    /** RFC 7854, Section 4.5. */
    TERMINATION_REASON(TlvSpace.TERMINATION, 1, "reason", Form.TERMINATION_REASON),
    /** RFC 7854, Section 4.5. */
    TERMINATION_STRING(TlvSpace.TERMINATION, 0, "information", Form.TEXTS),
    /** Name of the VRF or table (RFC 9069, Section 5.2.1). */
    PEER_UP_TABLE_NAME(TlvSpace.PEER_UP, 3, "table_name", Form.TEXT),
    /** RFC 7854, Section 4.10. */
    PEER_UP_STRING(TlvSpace.PEER_UP, 0, "information", Form.TEXTS),
    /** RFC 9736, Section 3.3. */
    ADMIN_LABEL(TlvSpace.PEER_UP, 4, "admin_labels", Form.TEXTS),
    /** Name of the VRF or table (RFC 9069, Section 5.3). */
    PEER_DOWN_TABLE_NAME(TlvSpace.PEER_DOWN, 3, "table_name", Form.TEXT);

    /** The form of a value. */
    public enum Form {
        /** One text in UTF-8. */
        TEXT,
        /** A text in UTF-8; the TLV may be repeated. */
        TEXTS,
        /** {@code u16}, see {@link InformationTlvs#reasonText}. */
        TERMINATION_REASON
    }

    private static final int REASON_LENGTH = 2;

    private final TlvSpace space;
    private final int code;
    private final String field;
    private final Form form;

    TlvType(TlvSpace space, int code, String field, Form form) {
        this.space = space;
        this.code = code;
        this.field = field;
        this.form = form;
    }

    public int code() {
        return code;
    }

    /** Returns the name of the field in JSON records. */
    public String field() {
        return field;
    }

    public Form form() {
        return form;
    }

    /** Returns whether a TLV of the right namespace is of this type, and has a value that is valid for it. */
    public boolean matches(Tlv tlv) {
        return tlv.is(code) && (form != Form.TERMINATION_REASON || tlv.value().length() == REASON_LENGTH);
    }

    /** Returns the types of a namespace in the order in which records have them. */
    public static List<TlvType> of(TlvSpace space) {
        return Arrays.stream(values()).filter(type -> type.space == space).toList();
    }
}
