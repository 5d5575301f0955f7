package dev.silkroute.session;

/**
 * What every session of a station shares.
 *
 * @param collector this station's name
 * @param names routers' configured names
 * @param maxPeers peers that one session may have; messages of further ones are quarantined
 */
public record SessionConfig(String collector, RouterNames names, int maxPeers) {}
