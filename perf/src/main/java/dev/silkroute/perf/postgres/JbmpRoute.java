package dev.silkroute.perf.postgres;

import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a route in the types of jBMP's columns: 32-bit values as signed integers, communities in arrays.
 */
final class JbmpRoute {
    final int[] asPath;
    final @Nullable Integer originAs;
    final @Nullable NextHop nextHop;
    final @Nullable Integer med;
    final @Nullable Integer localPref;
    final int origin;
    final int @Nullable [] communities;
    final List<String> largeCommunities;
    final List<String> extendedCommunities;
    final boolean atomicAggregate;
    final @Nullable Bytes aggregator;
    final @Nullable Bytes originatorId;
    final @Nullable Bytes clusterList;
    final String segments;

    JbmpRoute(PathAttributes attributes) {
        List<Long> asns = attributes.asns();
        asPath = asns.stream().mapToInt(Long::intValue).toArray();
        originAs = asPath.length == 0 ? null : asPath[asPath.length - 1];
        nextHop = attributes.nextHop();
        med = attributes.med().isPresent() ? (int) attributes.med().getAsLong() : null;
        localPref = attributes.localPref().isPresent()
                ? (int) attributes.localPref().getAsLong()
                : null;
        origin = attributes.origin() == null ? 0 : attributes.origin().code();
        communities = ints(attributes.value(AttributeCode.COMMUNITIES));
        largeCommunities = attributes.largeCommunities();
        extendedCommunities = attributes.extendedCommunities();
        atomicAggregate = attributes.has(AttributeCode.ATOMIC_AGGREGATE);
        aggregator = attributes.value(AttributeCode.AGGREGATOR).orElse(null);
        originatorId = attributes.value(AttributeCode.ORIGINATOR_ID).orElse(null);
        clusterList = attributes.value(AttributeCode.CLUSTER_LIST).orElse(null);
        segments = segments(attributes.asPath());
    }

    private static int @Nullable [] ints(Optional<Bytes> value) {
        if (value.isEmpty()) {
            return null;
        }
        int[] ints = new int[value.get().length() / Integer.BYTES];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = value.get().i32(i * Integer.BYTES);
        }
        return ints;
    }

    private static String segments(@Nullable AsPath path) {
        StringBuilder json = new StringBuilder("[");
        if (path != null) {
            for (AsPath.Segment segment : path.segments()) {
                json.append(json.length() == 1 ? "" : ",")
                        .append("{\"type\":\"")
                        .append(segment.type())
                        .append("\",\"asns\":")
                        .append(segment.asns().toString().replace(" ", ""))
                        .append('}');
            }
        }
        return json.append(']').toString();
    }

    @Nullable
    String nextHopText() {
        return nextHop == null || !nextHop.isAddress()
                ? null
                : Addresses.text(nextHop.ipv6(), nextHop.high(), nextHop.low());
    }
}
