package dev.silkroute.rpki.rtr;

import dev.silkroute.rpki.Aspa;
import org.jspecify.annotations.Nullable;

/** The types of PDUs that a cache sends, and the lengths that each may have in any version. */
enum PduType {
    SERIAL_NOTIFY(0, 12, 12),
    CACHE_RESPONSE(3, 8, 8),
    IPV4_PREFIX(4, 20, 20),
    IPV6_PREFIX(6, 32, 32),
    /** 12 bytes in version 0, 24 bytes with the intervals of later versions. */
    END_OF_DATA(7, 12, 24),
    CACHE_RESET(8, 8, 8),
    /** Key identifier, AS number and a public key, of which ECDSA keys have 91 bytes. */
    ROUTER_KEY(9, 32, 4_096),
    ERROR_REPORT(10, 16, 65_536),
    /** Customer AS and provider ASes. */
    ASPA(11, 12, 12 + 4 * Aspa.MAX_PROVIDERS);

    private final int code;
    private final int minLength;
    private final int maxLength;

    PduType(int code, int minLength, int maxLength) {
        this.code = code;
        this.minLength = minLength;
        this.maxLength = maxLength;
    }

    int code() {
        return code;
    }

    /** Returns the type of a code; null if a cache does not send it. */
    static @Nullable PduType of(int code) {
        for (PduType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        return null;
    }

    boolean allows(long length) {
        return length >= minLength && length <= maxLength;
    }

    String lengths() {
        return minLength == maxLength ? "" + minLength : "between " + minLength + " and " + maxLength;
    }
}
