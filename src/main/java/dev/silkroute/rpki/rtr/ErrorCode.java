package dev.silkroute.rpki.rtr;

/** The codes of Error Reports (RFC 8210, Section 12). */
public enum ErrorCode {
    CORRUPT_DATA(0, "corrupt-data"),
    INTERNAL_ERROR(1, "internal-error"),
    NO_DATA_AVAILABLE(2, "no-data-available"),
    INVALID_REQUEST(3, "invalid-request"),
    UNSUPPORTED_PROTOCOL_VERSION(4, "unsupported-protocol-version"),
    UNSUPPORTED_PDU_TYPE(5, "unsupported-pdu-type"),
    WITHDRAWAL_OF_UNKNOWN_RECORD(6, "withdrawal-of-unknown-record"),
    DUPLICATE_ANNOUNCEMENT_RECEIVED(7, "duplicate-announcement-received"),
    UNEXPECTED_PROTOCOL_VERSION(8, "unexpected-protocol-version"),
    /** draft-ietf-sidrops-8210bis, Section 12. */
    ASPA_PROVIDER_LIST_ERROR(9, "aspa-provider-list-error"),
    /** Any other code. */
    OTHER(-1, "other");

    private final int code;
    private final String text;

    ErrorCode(int code, String text) {
        this.code = code;
        this.text = text;
    }

    static ErrorCode of(int code) {
        for (ErrorCode each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return OTHER;
    }

    int code() {
        return code;
    }

    /** Returns the name in logs and metrics. */
    public String text() {
        return text;
    }
}
