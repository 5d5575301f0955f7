package dev.silkroute.digest;

import java.util.OptionalLong;

/**
 * A route of one copy of a table, with its hashes.
 *
 * @param key the hash of its key
 * @param route the hash of the route
 * @param nlri its NLRI as canonical text
 * @param pathId its path identifier, read unsigned
 * @param labels the outermost first
 * @param marking see {@link dev.silkroute.bgp.PathMarking}
 * @param attributes the canonical bytes of its attribute set; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // compared by the hash
public record RouteState(
        long key, long route, String nlri, OptionalLong pathId, int[] labels, long marking, byte[] attributes) {}
