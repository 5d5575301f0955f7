package dev.silkroute.alert.record;

import dev.silkroute.net.KeyedHash;
import java.util.Comparator;

/** A peer of a monitored router, in all of its RIB views. Thresholds count vantage points. */
public record VantagePoint(String router, String peerAddress, long peerAsn) implements Comparable<VantagePoint> {
    private static final Comparator<VantagePoint> ORDER = Comparator.comparing(VantagePoint::router)
            .thenComparing(VantagePoint::peerAddress)
            .thenComparingLong(VantagePoint::peerAsn);

    /** A router must not be able to choose peers whose hashes are equal. */
    @Override
    public int hashCode() {
        return KeyedHash.fold(KeyedHash.of(KeyedHash.of(peerAsn, peerAddress), router));
    }

    @Override
    public int compareTo(VantagePoint other) {
        return ORDER.compare(this, other);
    }
}
