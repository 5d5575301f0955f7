package dev.silkroute.route;

/**
 * Layout of the wire format, version 3, and of versions 1 and 2, which it reads too: big-endian, fixed-width, four areas one after
 * the other.
 *
 * <pre>
 * offset size
 *      0    3  magic "SRB"
 *      3    1  version
 *      4    4  CRC-32C of bytes 8 to the end, from version 3 on of bytes 0 to 3 before them
 *      8    4  length of the record in bytes
 *     12    8  session id
 *     20    8  receive time, microseconds since 1970
 *     28    4  number of events (one per NLRI, one per other event)
 *     32    4  number of groups
 *     36    2  number of peers
 *     38    2  flags: 1 = decoded again
 *     40    4  number of attribute sets
 *     44    4  offset of the attribute directory
 *     48    4  offset of the groups
 *     52       collector, router, router address: each length u16 and UTF-8
 *              peers, {@value #PEER_BYTES} bytes each
 *              attribute directory, {@value #SET_BYTES} bytes each, then the sets' canonical bytes
 *              groups, {@value #GROUP_BYTES} bytes of header each, a path marking where there is one (from version 2 on),
 *              then their NLRI bytes as BGP wrote them
 * </pre>
 */
final class WireFormat {
    static final int MAGIC = 0x535242;
    /** Without path markings. */
    static final int VERSION_1 = 1;

    /** With path markings; else the same. A record is written in the lowest version that can say it: what reads version 1 goes on reading. */
    static final int VERSION_2 = 2;

    /** With announcements that belong to a table dump, and the start of a collector; else as version 2. */
    static final int VERSION_3 = 3;

    static final int CRC = 4;
    static final int CRC_FROM = 8;
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

    /** view u8, peer type u8, flags u8 (1 = IPv6), reserved u8, distinguisher u64, address 16 B, AS u32, BGP ID u32. */
    static final int PEER_BYTES = 36;

    static final int PEER_IPV6 = 1;

    /** hash u128, offset u32 (from the start of the record), length u32. */
    static final int SET_BYTES = 24;

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

    static final int FLAG_PATH_IDS = 1;
    static final int FLAG_SYNTHETIC = 2;
    static final int FLAG_ALL_VIEWS = 4;

    /** The event withdraws, but its NLRI have the form of announcements: a whole label stack (RFC 7606). */
    static final int FLAG_ANNOUNCED_FORM = 8;

    /** A path marking follows the group's header; version 1 has none. */
    static final int FLAG_MARKING = 16;

    /** The path marking has a reason. */
    static final int FLAG_REASON = 32;

    /** The announcements belong to a dump of a table, see {@link RouteCursor#tableDump}; from version 3 on. */
    static final int FLAG_TABLE_DUMP = 64;

    /** status u32, reason u16 (0 without {@link #FLAG_REASON}), reserved u16. */
    static final int MARKING_BYTES = 8;

    static final int MARKING_REASON = 4;

    static final int NO_PEER = 0xFFFF;
    static final int NO_SET = -1;

    /** Of a record: its events come later than their turn, see {@link RouteBatch#redecoded()}. */
    static final int REDECODED = 1;

    private WireFormat() {}
}
