package dev.silkroute.bgp.attribute;

import java.util.Arrays;

/** IANA "BGP Path Attributes": the ones we know as fields, and the flags each must carry. */
public final class AttributeCode {
    public static final int ORIGIN = 1;
    public static final int AS_PATH = 2;
    public static final int NEXT_HOP = 3;
    public static final int MULTI_EXIT_DISC = 4;
    public static final int LOCAL_PREF = 5;
    public static final int ATOMIC_AGGREGATE = 6;
    public static final int AGGREGATOR = 7;
    public static final int COMMUNITIES = 8;
    public static final int ORIGINATOR_ID = 9;
    public static final int CLUSTER_LIST = 10;
    public static final int MP_REACH_NLRI = 14;
    public static final int MP_UNREACH_NLRI = 15;
    public static final int EXTENDED_COMMUNITIES = 16;
    public static final int AS4_PATH = 17;
    public static final int AS4_AGGREGATOR = 18;
    public static final int PMSI_TUNNEL = 22;
    public static final int TUNNEL_ENCAPSULATION = 23;
    public static final int IPV6_EXTENDED_COMMUNITIES = 25;
    public static final int AIGP = 26;
    public static final int BGP_LS = 29;
    public static final int LARGE_COMMUNITIES = 32;
    public static final int ONLY_TO_CUSTOMER = 35;
    public static final int PREFIX_SID = 40;
    public static final int ATTR_SET = 128;

    public static final int FLAG_OPTIONAL = 0x80;
    public static final int FLAG_TRANSITIVE = 0x40;
    public static final int FLAG_PARTIAL = 0x20;
    public static final int FLAG_EXTENDED_LENGTH = 0x10;

    /** Optional and transitive bits by type; {@link #UNKNOWN} where we know no such attribute. */
    private static final byte[] FLAGS = new byte[256];

    private static final byte UNKNOWN = 1;

    static {
        Arrays.fill(FLAGS, UNKNOWN);
        set(FLAG_TRANSITIVE, ORIGIN, AS_PATH, NEXT_HOP, LOCAL_PREF, ATOMIC_AGGREGATE);
        set(FLAG_OPTIONAL, MULTI_EXIT_DISC, ORIGINATOR_ID, CLUSTER_LIST, MP_REACH_NLRI, MP_UNREACH_NLRI, AIGP, BGP_LS);
        set(FLAG_OPTIONAL | FLAG_TRANSITIVE, AGGREGATOR, COMMUNITIES, EXTENDED_COMMUNITIES, AS4_PATH, AS4_AGGREGATOR);
        set(FLAG_OPTIONAL | FLAG_TRANSITIVE, PMSI_TUNNEL, TUNNEL_ENCAPSULATION, IPV6_EXTENDED_COMMUNITIES);
        set(FLAG_OPTIONAL | FLAG_TRANSITIVE, LARGE_COMMUNITIES, ONLY_TO_CUSTOMER, PREFIX_SID, ATTR_SET);
    }

    private AttributeCode() {}

    private static void set(int flags, int... types) {
        for (int type : types) {
            FLAGS[type] = (byte) flags;
        }
    }

    /** The flags an attribute goes out with; optional and transitive where we know no such attribute. */
    static int flags(int type) {
        return known(type) ? FLAGS[type] & 0xFF : FLAG_OPTIONAL | FLAG_TRANSITIVE;
    }

    static boolean known(int type) {
        return FLAGS[type] != UNKNOWN;
    }

    /** Whether the optional and transitive bits are what the attribute's specification says; true for unknown types. */
    static boolean flagsAgree(int type, int flags) {
        byte expected = FLAGS[type];
        return expected == UNKNOWN || ((expected ^ flags) & (FLAG_OPTIONAL | FLAG_TRANSITIVE)) == 0;
    }
}
