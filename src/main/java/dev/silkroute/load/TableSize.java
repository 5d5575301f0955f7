package dev.silkroute.load;

import dev.silkroute.bgp.RibView;

/**
 * The number of routes that a station should hold for one peer, view and family.
 *
 * @param router the router's sysName
 * @param peerAddress as text, in the form of {@code v_rib.peer_address}
 * @param family one of {@link LoadProfile#FAMILIES}
 */
public record TableSize(String router, String peerAddress, RibView view, int family, int routes) {}
