package dev.silkroute.postgres;

/** One record of a topic, as a lane gets it. */
public final class LaneRecord {
    private final String place;
    private final byte[] value;

    /**
     * @param place where it lies, {@code topic-partition@offset}
     * @param value its bytes, not copied
     */
    public LaneRecord(String place, byte[] value) {
        this.place = place;
        this.value = value;
    }

    public String place() {
        return place;
    }

    public byte[] value() {
        return value;
    }
}
