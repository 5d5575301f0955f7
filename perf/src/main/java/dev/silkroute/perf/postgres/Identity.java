package dev.silkroute.perf.postgres;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.route.PeerEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** UUIDs of routers and peers as in jBMP: a hash of the identifying fields. SQL: {@code md5(text)::uuid}. */
final class Identity {
    private final Map<String, UUID> routers = new HashMap<>();
    private final Map<PeerEntry, Map<String, UUID>> peers = new HashMap<>();

    UUID router(String name) {
        return routers.computeIfAbsent(name, Identity::md5);
    }

    UUID peer(String router, PeerEntry peer) {
        return peers.computeIfAbsent(peer, _ -> new HashMap<>())
                .computeIfAbsent(
                        router,
                        name -> md5(name + "/" + Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow())));
    }

    private static UUID md5(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return new UUID(BigEndian.i64(hash, 0), BigEndian.i64(hash, 8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }
}
