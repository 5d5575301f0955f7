package dev.silkroute.names;

import dev.silkroute.net.Json;
import java.util.Map;
import java.util.TreeMap;

/**
 * The labels of routers and peers, such as {@code site} and {@code role}. A peer has the labels of its router, then
 * those of its address at any router, then those of its address at this router; later ones replace earlier ones of the
 * same name. Immutable.
 */
public final class Labels {
    /** Nothing has a label. */
    public static final Labels NONE = new Labels(Map.of(), Map.of(), Map.of());

    private final Map<String, Map<String, String>> routers;
    private final Map<String, Map<String, String>> peers;
    private final Map<String, Map<String, String>> routersPeers;

    /**
     * @param routers by the router's name
     * @param peers by the canonical address of the peer
     * @param routersPeers by {@link #key}
     */
    Labels(
            Map<String, Map<String, String>> routers,
            Map<String, Map<String, String>> peers,
            Map<String, Map<String, String>> routersPeers) {
        this.routers = routers;
        this.peers = peers;
        this.routersPeers = routersPeers;
    }

    /** Returns the key of a peer at one router. */
    static String key(String router, String peer) {
        return router + " " + peer;
    }

    /** Returns the number of routers and peers with labels of their own. */
    public int size() {
        return routers.size() + peers.size() + routersPeers.size();
    }

    /** Returns the labels of a peer, in the order of their names; empty without any. */
    public Map<String, String> ofPeer(String router, String address) {
        if (size() == 0) {
            return Map.of();
        }
        Map<String, String> labels = new TreeMap<>(routers.getOrDefault(router, Map.of()));
        labels.putAll(peers.getOrDefault(address, Map.of()));
        labels.putAll(routersPeers.getOrDefault(key(router, address), Map.of()));
        return labels;
    }

    /** Returns a JSON object with the labels of each router, an object by the router's name. */
    public String routersJson() {
        return json(routers);
    }

    /** Returns a JSON object with the labels of each peer at any router, an object by the peer's address. */
    public String peersJson() {
        return json(peers);
    }

    /** Returns a JSON object with the labels of each peer at one router, an object by router, blank and address. */
    public String routersPeersJson() {
        return json(routersPeers);
    }

    private static String json(Map<String, Map<String, String>> labels) {
        return Json.string(json -> {
            json.writeStartObject();
            for (var owner : labels.entrySet()) {
                json.writeObjectFieldStart(owner.getKey());
                for (var label : owner.getValue().entrySet()) {
                    json.writeStringField(label.getKey(), label.getValue());
                }
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }
}
