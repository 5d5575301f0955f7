package dev.silkroute.rpki.rtr;

import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.VrpTable;

/**
 * The data of a cache as of an End of Data, with what is needed to query the changes since then.
 *
 * @param version of the protocol; a session id is valid in its version only (RFC 8210, Section 5.1)
 * @param serial number of the data in this session, unsigned
 * @param aspas none in versions before 2
 */
public record CacheData(int version, int sessionId, int serial, Intervals intervals, VrpTable vrps, AspaTable aspas) {}
