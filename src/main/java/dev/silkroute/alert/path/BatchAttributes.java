package dev.silkroute.alert.path;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The attributes of a batch that rules are about, decoded when they are used. Not thread-safe. */
public final class BatchAttributes {
    private final RouteBatch batch;
    private final @Nullable AsPath[] paths;
    private final OptionalLong[] onlyToCustomers;

    public BatchAttributes(RouteBatch batch) {
        this.batch = batch;
        paths = new AsPath[batch.attributeSetCount()];
        onlyToCustomers = new OptionalLong[batch.attributeSetCount()];
    }

    public AsPath asPath(int set) {
        AsPath path = paths[set];
        if (path == null) {
            onlyToCustomers[set] = OptionalLong.empty();
            try {
                PathAttributes attributes =
                        PathAttributes.decode(batch.bytes(), batch.attributesFrom(set), batch.attributesTo(set));
                path = attributes.asPath();
                onlyToCustomers[set] = attributes.onlyToCustomer();
            } catch (DecodeException e) {
                path = null; // as in the other consumers, a set that cannot be decoded has no values
            }
            path = path == null ? AsPath.EMPTY : path;
            paths[set] = path;
        }
        return path;
    }

    public OptionalLong onlyToCustomer(int set) {
        asPath(set);
        return onlyToCustomers[set];
    }

    public String path(int set) {
        return asPath(set).text();
    }

    public OptionalLong validatedOrigin(int set, PeerEntry peer) {
        return AsPath.validatedOrigin(asPath(set), peer.asn());
    }

    /** Returns the AS at the end of the path, the members of a set there, or the peer's AS if the path is empty. */
    public List<Long> origins(int set, PeerEntry peer) {
        List<AsPath.Segment> segments = asPath(set).segments();
        for (int i = segments.size() - 1; i >= 0; i--) {
            AsPath.Segment segment = segments.get(i);
            if (segment.type() == AsPath.SegmentType.SET && !segment.asns().isEmpty()) {
                return segment.asns();
            }
            if (segment.type() == AsPath.SegmentType.SEQUENCE && !segment.asns().isEmpty()) {
                return List.of(segment.asns().getLast());
            }
        }
        return List.of(Integer.toUnsignedLong(peer.asn()));
    }
}
