/**
 * The RPKI-to-Router protocol, from which a router, here the station, receives VRPs and ASPAs: version 1 (RFC 8210),
 * version 0 (RFC 6810) and version 2 (draft-ietf-sidrops-8210bis), which alone has ASPAs.
 *
 * <p>{@link dev.silkroute.rpki.rtr.PduReader} frames PDUs, {@link dev.silkroute.rpki.rtr.PduDecoder} decodes them,
 * {@link dev.silkroute.rpki.rtr.PduEncoder} encodes those of a router, and {@link
 * dev.silkroute.rpki.rtr.Synchronization} is the conversation from a query to End of Data. Streams come from the
 * caller; the package has no sockets, threads or clocks.
 */
@NullMarked
package dev.silkroute.rpki.rtr;

import org.jspecify.annotations.NullMarked;
