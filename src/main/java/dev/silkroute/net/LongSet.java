package dev.silkroute.net;

/**
 * A set of numbers other than 0 that are evenly distributed, such as hashes. A number takes 11 to 22 bytes. Open
 * addressing with linear probing; 0 is a free slot. Not thread-safe.
 */
public final class LongSet {
    private static final int INITIAL_SLOTS = 16;

    private long[] slots = new long[INITIAL_SLOTS];
    private int size;

    public int size() {
        return size;
    }

    /** Returns whether the number was not in the set. */
    public boolean add(long number) {
        int slot = find(number);
        if (slots[slot] == number) {
            return false;
        }
        slots[slot] = number;
        size++;
        if (size > slots.length / 4 * 3) {
            grow();
        }
        return true;
    }

    /** Returns whether the number was in the set. */
    public boolean remove(long number) {
        int hole = find(number);
        if (slots[hole] == 0) {
            return false;
        }
        int mask = slots.length - 1;
        for (int i = hole + 1 & mask; slots[i] != 0; i = i + 1 & mask) {
            if ((i - home(slots[i]) & mask) >= (i - hole & mask)) {
                slots[hole] = slots[i];
                hole = i;
            }
        }
        slots[hole] = 0;
        size--;
        return true;
    }

    public void addAll(LongSet other) {
        for (long number : other.slots) {
            if (number != 0) {
                add(number);
            }
        }
    }

    public void clear() {
        slots = new long[INITIAL_SLOTS];
        size = 0;
    }

    private int home(long number) {
        return (int) number & slots.length - 1;
    }

    /** Returns the slot of a number, or the free slot that it would have. */
    private int find(long number) {
        int slot = home(number);
        while (slots[slot] != 0 && slots[slot] != number) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private void grow() {
        long[] old = slots;
        slots = new long[old.length * 2];
        for (long number : old) {
            if (number != 0) {
                slots[find(number)] = number;
            }
        }
    }
}
