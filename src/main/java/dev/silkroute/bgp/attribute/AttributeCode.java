package dev.silkroute.bgp.attribute;

/**
 * Type codes of path attributes that classes refer to, and their flags (IANA "BGP Path Attributes"). {@link Attribute}
 * describes them.
 */
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

    private AttributeCode() {}
}
