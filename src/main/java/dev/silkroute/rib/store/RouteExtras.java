package dev.silkroute.rib.store;

import dev.silkroute.bgp.PathMarking;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.rib.memory.ByteSlab;
import java.util.Arrays;

/**
 * The data of a route beside its attribute set: labels, a path marking, or the whole NLRI if its key is only a part of
 * it. Few routes have any; a route refers to its extra by the complement of the block.
 *
 * <pre>
 * u32 attribute set | i64 path marking, -1 if none | u8 labels | u16 NLRI length | u32 per label | NLRI
 *
 * attribute set 1 and the label 100, 19 bytes:
 * 00000001 FFFFFFFFFFFFFFFF 01 0000 00000064
 * </pre>
 */
public final class RouteExtras {
    private static final int MARKING = 4;
    private static final int LABELS = 12;
    private static final int NLRI_LENGTH = 13;
    private static final int HEADER = 15;

    private final ByteSlab slab;
    private final ByteSink scratch = new ByteSink();

    RouteExtras(ByteSlab slab) {
        this.slab = slab;
    }

    /**
     * Composes the extra of a route.
     *
     * @param nlri the bytes that {@code reader} has read, or null if the key contains all of the NLRI
     * @return whether the route has anything beyond the attribute set
     */
    public boolean compose(
            int attributes, long marking, NlriReader reader, byte @org.jspecify.annotations.Nullable [] nlri) {
        scratch.reset();
        if (!PathMarking.isMarked(marking) && reader.labelCount() == 0 && nlri == null) {
            return false;
        }
        int length = nlri == null ? 0 : reader.to() - reader.from();
        scratch.u32(attributes).i64(marking).u8(reader.labelCount()).u16(length);
        for (int i = 0; i < reader.labelCount(); i++) {
            scratch.u32(reader.label(i));
        }
        if (nlri != null) {
            scratch.bytes(nlri, reader.from(), reader.to());
        }
        return true;
    }

    /** The number of bytes composed. */
    public int composed() {
        return scratch.position();
    }

    /** Returns whether an extra is equal to the composed one. */
    public boolean same(int ref) {
        int at = ByteSlab.offset(ref);
        int length = scratch.position();
        return length(ref) == length && Arrays.equals(slab.bytes(ref), at, at + length, scratch.array(), 0, length);
    }

    public int store() {
        int ref = slab.claim(scratch.position());
        System.arraycopy(scratch.array(), 0, slab.bytes(ref), ByteSlab.offset(ref), scratch.position());
        return ref;
    }

    public int length(int ref) {
        return HEADER + 4 * labels(ref) + nlriLength(ref);
    }

    public int attributes(int ref) {
        return BigEndian.i32(slab.bytes(ref), ByteSlab.offset(ref));
    }

    public long marking(int ref) {
        return BigEndian.i64(slab.bytes(ref), ByteSlab.offset(ref) + MARKING);
    }

    public int labels(int ref) {
        return BigEndian.u8(slab.bytes(ref), ByteSlab.offset(ref) + LABELS);
    }

    public int label(int ref, int index) {
        return BigEndian.i32(slab.bytes(ref), ByteSlab.offset(ref) + HEADER + 4 * index);
    }

    public int nlriLength(int ref) {
        return BigEndian.u16(slab.bytes(ref), ByteSlab.offset(ref) + NLRI_LENGTH);
    }

    /** The offset of the NLRI in the extra's segment. */
    public int nlriFrom(int ref) {
        return ByteSlab.offset(ref) + HEADER + 4 * labels(ref);
    }
}
