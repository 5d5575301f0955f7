package dev.silkroute.route;

/**
 * Layout of a {@code bmp.routes} record, version {@value #VERSION}: big-endian fixed-width fields in four areas, one
 * after the other. {@code docs/reference/wire-format.md} is the specification; this class holds its numbers.
 *
 * <pre>
 * offset size
 *      0    3  magic "SRB"
 *      3    1  version
 *      4    4  CRC-32C of all bytes but these four
 *      8    4  length of the record in bytes
 *     12    8  session ID
 *     20    8  receive time, microseconds since 1970-01-01 UTC
 *     28    4  number of events (one per NLRI, one per other event)
 *     32    4  number of groups
 *     36    2  number of peers
 *     38    2  flags: 1 = redecoded
 *     40    4  number of attribute sets
 *     44    4  offset of the attribute directory
 *     48    4  offset of the groups
 *     52       collector, router, router address: each length u16 and UTF-8
 *              peers, {@value #PEER_BYTES} bytes each
 *              attribute directory, {@value #SET_BYTES} bytes each, then the sets' canonical bytes
 *              groups: {@value #GROUP_BYTES} bytes of header, a path marking if flagged, NLRI
 * </pre>
 *
 * <p>The record in which router r1 announces 10.0.0.0/8 and 192.0.2.0/24 with AS path 65000, as message 2 of its
 * session:
 *
 * <pre>
 *   0  535242 02  cbcbcd35  000000ac             "SRB", version 2, CRC-32C, 172 bytes
 *  12  000660bc3c3cce40  000660bc3c3eb080        session ID, receive time
 *  28  00000002 00000001 0001 0000 00000001      2 events, 1 group, 1 peer, no flags, 1 attribute set
 *  44  0000006b 00000082                         directory at 107, groups at 130
 *  52  0002 6331  0002 7231  0009 3139322e302e322e31              "c1", "r1", "192.0.2.1"
 *  71  00 00 00 00  0000000000000000             adj-rib-in-pre, global peer, IPv4, reserved; peer distinguisher
 *  83  000000000000000000000000 c000020b         peer address 192.0.2.11
 *  99  0000fde8  0a00000b                        AS 65000, BGP ID 10.0.0.11
 * 107  00000073 0000000f                        set 0 has 15 bytes at 115
 * 115  50010001 00  50020006 0201 0000fde8       ORIGIN IGP, AS_PATH 65000
 * 130  01 08 0000  00000101  00000000            announce, NLRI in announced form, peer 0, IPv4 unicast, set 0
 * 142  0000000000020000  0000000000000000        sequence 2 × 65,536, no router time
 * 158  00000002  00000006                        2 NLRI in 6 bytes
 * 166  08 0a  18 c00002                          10.0.0.0/8, 192.0.2.0/24
 * </pre>
 */
final class WireFormat {
    static final int MAGIC = 0x535242;
    static final int VERSION = 2;

    static final int CRC = 4;
    static final int LENGTH = 8;
    static final int SESSION_ID = 12;
    static final int RECEIVED_AT = 20;
    static final int EVENTS = 28;
    static final int GROUPS = 32;
    static final int PEERS = 36;
    static final int FLAGS = 38;
    static final int ATTRIBUTE_SETS = 40;
    static final int DIRECTORY_AT = 44;
    static final int GROUPS_AT = 48;
    static final int NAMES_AT = 52;

    /** Record flag, see {@link RouteBatch#redecoded()}. */
    static final int REDECODED = 1;

    /**
     * view u8, peer type u8, flags u8 (1 = IPv6), role u8 (BGP Role + 1, 0 = unknown), distinguisher u64, address 16
     * bytes, AS u32, BGP ID u32.
     */
    static final int PEER_BYTES = 36;

    static final int PEER_IPV6 = 1;
    static final int PEER_ROLE = 3;

    /** offset from the start of the record u32, length u32. */
    static final int SET_BYTES = 8;

    /**
     * kind u8, flags u8, peer u16 (0xFFFF = none), family u32, attribute set u32 (0xFFFFFFFF = none), sequence of the
     * first event u64, router time u64 (microseconds, 0 = none), number of events u32, length of the NLRI bytes u32.
     */
    static final int GROUP_BYTES = 36;

    static final int GROUP_KIND = 0;
    static final int GROUP_FLAGS = 1;
    static final int GROUP_PEER = 2;
    static final int GROUP_FAMILY = 4;
    static final int GROUP_SET = 8;
    static final int GROUP_SEQUENCE = 12;
    static final int GROUP_ROUTER_TIME = 20;
    static final int GROUP_COUNT = 28;
    static final int GROUP_LENGTH = 32;

    static final int NO_PEER = 0xFFFF;
    static final int NO_SET = -1;

    /** Group flag: each NLRI is preceded by a path identifier (RFC 7911). */
    static final int FLAG_PATH_IDS = 1;

    /** Group flag: the station generated the events, not the router. */
    static final int FLAG_SYNTHETIC = 2;

    /** Group flag, see {@link RouteCursor#coversAllViews()}. */
    static final int FLAG_ALL_VIEWS = 4;

    /**
     * Group flag: labelled NLRI carry their whole label stack. Set for announcements and for treat-as-withdraw (RFC
     * 7606).
     */
    static final int FLAG_ANNOUNCED_FORM = 8;

    /** Group flag of announcements: a path marking follows the group's header. */
    static final int FLAG_MARKING = 16;

    /** Group flag, only with {@link #FLAG_MARKING}: the path marking has a reason. */
    static final int FLAG_REASON = 32;

    /** Group flag of announcements, see {@link RouteCursor#isTableDump()}. */
    static final int FLAG_TABLE_DUMP = 64;

    /** status u32, reason u16 (0 without {@link #FLAG_REASON}), reserved u16. */
    static final int MARKING_BYTES = 8;

    static final int MARKING_REASON = 4;

    private WireFormat() {}
}
