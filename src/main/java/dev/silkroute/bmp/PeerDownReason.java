package dev.silkroute.bmp;

import org.jspecify.annotations.Nullable;

/** IANA "BMP Peer Down Reason Codes", one row each: code, text, and what follows the code in the message. */
enum PeerDownReason {
    /** RFC 7854, Section 4.9, as the reasons up to 5. */
    LOCAL_NOTIFICATION(1, "local system closed the session, NOTIFICATION sent", Data.NOTIFICATION),
    LOCAL_EVENT(2, "local system closed the session, no NOTIFICATION", Data.FSM_EVENT),
    REMOTE_NOTIFICATION(3, "remote system closed the session, NOTIFICATION received", Data.NOTIFICATION),
    REMOTE_CLOSED(4, "remote system closed the session, no NOTIFICATION", Data.NOTHING),
    DE_CONFIGURED(5, "peer de-configured", Data.NOTHING),
    /** RFC 9069, Section 5.3. */
    LOCAL_TLVS(6, "local system closed the session, TLV data follows", Data.TLVS);

    /** The data after a reason code. In BMP version 4, TLVs may follow each of these. */
    enum Data {
        NOTHING,
        /** A whole BGP NOTIFICATION message (RFC 4271, Section 4.5). */
        NOTIFICATION,
        /** {@code u16}, an event of the BGP state machine (RFC 4271, Section 8.1), 0 if none of them applies. */
        FSM_EVENT,
        /** TLVs, in version 3 too. */
        TLVS
    }

    private final int code;
    private final String text;
    private final Data data;

    PeerDownReason(int code, String text, Data data) {
        this.code = code;
        this.text = text;
        this.data = data;
    }

    String text() {
        return text;
    }

    Data data() {
        return data;
    }

    /** Returns the reason with this code, null for unknown ones. */
    static @Nullable PeerDownReason of(int code) {
        for (PeerDownReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return null;
    }
}
