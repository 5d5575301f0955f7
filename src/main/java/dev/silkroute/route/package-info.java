/**
 * The wire format of the topic {@code bmp.routes}: {@link dev.silkroute.route.RouteBatch} reads a record, {@link
 * dev.silkroute.route.RouteCursor} walks its events, {@link dev.silkroute.route.RouteBatchBuilder} writes one. A
 * record holds the routes and the peer and session events of one or a few socket reads of one BMP session, with a
 * table of peers and a table of attribute sets. All consumers of decoded messages read records: history, current state,
 * RIB and JSON. {@code docs/reference/wire-format.md} specifies the layout.
 *
 * <p>May use {@code net} and {@code bgp}, and for JSON {@code rpki}. No Camel, no Quarkus, no I/O.
 */
@NullMarked
package dev.silkroute.route;

import org.jspecify.annotations.NullMarked;
