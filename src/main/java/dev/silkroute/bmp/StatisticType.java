package dev.silkroute.bmp;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * IANA "BMP Statistics Types", one row each: code, name, and whether the value begins with AFI and SAFI. Types 0 to 13
 * are from RFC 7854, Section 4.8, 14 to 17 from RFC 8671, Section 6.2, and those from 18 on from RFC 9972, Section 3.
 * Other types are accepted too, with their number as a name.
 */
enum StatisticType {
    REJECTED_BY_POLICY(0, "prefixes-rejected-by-inbound-policy"),
    DUPLICATE_ADVERTISEMENTS(1, "duplicate-prefix-advertisements"),
    DUPLICATE_WITHDRAWS(2, "duplicate-withdraws"),
    CLUSTER_LIST_LOOP(3, "updates-invalidated-by-cluster-list-loop"),
    AS_PATH_LOOP(4, "updates-invalidated-by-as-path-loop"),
    ORIGINATOR_ID(5, "updates-invalidated-by-originator-id"),
    AS_CONFED_LOOP(6, "updates-invalidated-by-as-confed-loop"),
    ADJ_RIB_IN(7, "adj-rib-in-routes"),
    LOC_RIB(8, "loc-rib-routes"),
    ADJ_RIB_IN_FAMILY(9, "adj-rib-in-routes-per-family", true),
    LOC_RIB_FAMILY(10, "loc-rib-routes-per-family", true),
    WITHDRAWN_UPDATES(11, "updates-treated-as-withdraw"),
    WITHDRAWN_PREFIXES(12, "prefixes-treated-as-withdraw"),
    DUPLICATE_UPDATES(13, "duplicate-update-messages"),
    OUT_PRE(14, "adj-rib-out-pre-policy-routes"),
    OUT_POST(15, "adj-rib-out-post-policy-routes"),
    OUT_PRE_FAMILY(16, "adj-rib-out-pre-policy-routes-per-family", true),
    OUT_POST_FAMILY(17, "adj-rib-out-post-policy-routes-per-family", true),
    IN_PRE(18, "adj-rib-in-pre-policy-routes"),
    IN_PRE_FAMILY(19, "adj-rib-in-pre-policy-routes-per-family", true),
    IN_POST(20, "adj-rib-in-post-policy-routes"),
    IN_POST_FAMILY(21, "adj-rib-in-post-policy-routes-per-family", true),
    IN_PRE_REJECTED(22, "adj-rib-in-pre-policy-rejected-routes-per-family", true),
    IN_POST_ACCEPTED(23, "adj-rib-in-post-policy-accepted-routes-per-family", true),
    DAMPED(26, "damping-suppressed-routes-per-family", true),
    STALE_GR(27, "graceful-restart-stale-routes-per-family", true),
    STALE_LLGR(28, "long-lived-graceful-restart-stale-routes-per-family", true),
    IN_POST_LEFT(29, "adj-rib-in-post-policy-routes-left-before-threshold"),
    IN_POST_LEFT_FAMILY(30, "adj-rib-in-post-policy-routes-left-before-threshold-per-family", true),
    LICENSE_LEFT(31, "routes-left-before-license-threshold"),
    LICENSE_LEFT_FAMILY(32, "routes-left-before-license-threshold-per-family", true),
    IN_PRE_AS_PATH_LENGTH(33, "adj-rib-in-pre-policy-routes-rejected-by-as-path-length"),
    IN_PRE_AS_PATH_LENGTH_FAMILY(34, "adj-rib-in-pre-policy-routes-rejected-by-as-path-length-per-family", true),
    IN_POST_RPKI_INVALID(35, "adj-rib-in-post-policy-rpki-invalid-routes-per-family", true),
    IN_POST_RPKI_VALID(36, "adj-rib-in-post-policy-rpki-valid-routes-per-family", true),
    IN_POST_RPKI_NOT_FOUND(37, "adj-rib-in-post-policy-rpki-not-found-routes-per-family", true),
    OUT_PRE_REJECTED(38, "adj-rib-out-pre-policy-rejected-routes-per-family", true),
    OUT_PRE_AS_PATH_LENGTH(39, "adj-rib-out-pre-policy-routes-filtered-by-as-path-length"),
    OUT_PRE_AS_PATH_LENGTH_FAMILY(40, "adj-rib-out-pre-policy-routes-filtered-by-as-path-length-per-family", true),
    OUT_POST_RPKI_INVALID(41, "adj-rib-out-post-policy-rpki-invalid-routes-per-family", true),
    OUT_POST_RPKI_VALID(42, "adj-rib-out-post-policy-rpki-valid-routes-per-family", true),
    OUT_POST_RPKI_NOT_FOUND(43, "adj-rib-out-post-policy-rpki-not-found-routes-per-family", true);

    private static final Map<Integer, StatisticType> BY_CODE = new HashMap<>();

    static {
        for (StatisticType type : values()) {
            BY_CODE.put(type.code, type);
        }
    }

    private final int code;
    private final String text;
    private final boolean perFamily;

    StatisticType(int code, String text) {
        this(code, text, false);
    }

    StatisticType(int code, String text, boolean perFamily) {
        this.code = code;
        this.text = text;
        this.perFamily = perFamily;
    }

    /** Returns whether the value begins with AFI and SAFI. */
    boolean perFamily() {
        return perFamily;
    }

    static @Nullable StatisticType of(int code) {
        return BY_CODE.get(code);
    }

    /** Returns the name of a type, {@code type-N} for unknown ones. */
    static String text(int code) {
        StatisticType type = of(code);
        return type == null ? "type-" + code : type.text;
    }
}
