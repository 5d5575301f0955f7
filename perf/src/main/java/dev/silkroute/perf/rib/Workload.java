package dev.silkroute.perf.rib;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The file that all contenders read, in memory. Little-endian:
 *
 * <pre>
 * 8 bytes magic | u32 number of sections | u32 0
 * for each section: name, 24 bytes padded with 0 | u64 offset | u64 length in bytes
 * prefixes   20 bytes each: address, 16 bytes as in the packet, IPv4 in the first four | u8 length | u8 1 for IPv6 | u16 0
 * sets       u32 offset of each set in bytes, and one more for the end
 * bytes      canonical attribute sets one after the other
 * r:NAME     12 bytes each: u32 peer | u32 prefix | u32 set, 0xFFFFFFFF for a withdrawal
 * p:NAME4    probes, u32 each; p:NAME6 16 bytes each, as in the packet
 * expect     text, a line for each query: NAME of the routes, of the probes, depth = hits and {@link Digest}
 * </pre>
 */
final class Workload {
    static final String MAGIC = "RIBWORK1";
    static final int NAME_BYTES = 24;
    static final int ENTRY_BYTES = NAME_BYTES + 16;
    static final int PREFIX_BYTES = 20;
    static final int WITHDRAWAL = -1;

    /** Ints for each route: peer, prefix, set. */
    static final int ROUTE = 3;

    private final Map<String, ByteBuffer> sections = new LinkedHashMap<>();
    private final Map<String, int[]> routes = new LinkedHashMap<>();
    private final Map<String, Probes> probes = new LinkedHashMap<>();
    private final long[] high;
    private final long[] low;
    private final byte[] length;
    private final boolean[] six;
    private final int[] sets;
    private final byte[] bytes;

    Workload(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer head = read(channel, 0, 16);
            byte[] magic = new byte[MAGIC.length()];
            head.get(magic);
            if (!MAGIC.equals(new String(magic, StandardCharsets.US_ASCII))) {
                throw new IOException(file + " is no workload");
            }
            int count = head.getInt();
            ByteBuffer directory = read(channel, 16, (long) count * ENTRY_BYTES);
            for (int i = 0; i < count; i++) {
                byte[] name = new byte[NAME_BYTES];
                directory.get(name);
                long from = directory.getLong();
                sections.put(
                        new String(name, StandardCharsets.US_ASCII).replace("\0", ""),
                        read(channel, from, directory.getLong()));
            }
        }
        ByteBuffer table = section("prefixes");
        int prefixes = table.remaining() / PREFIX_BYTES;
        high = new long[prefixes];
        low = new long[prefixes];
        length = new byte[prefixes];
        six = new boolean[prefixes];
        for (int i = 0; i < prefixes; i++) {
            high[i] = Long.reverseBytes(table.getLong());
            low[i] = Long.reverseBytes(table.getLong());
            length[i] = table.get();
            six[i] = table.get() != 0;
            table.getShort();
        }
        sets = ints(section("sets"));
        bytes = section("bytes").array();
    }

    private static ByteBuffer read(FileChannel channel, long from, long bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
            // until it is full
        }
        return buffer.flip();
    }

    private ByteBuffer section(String name) {
        ByteBuffer section = sections.get(name);
        if (section == null) {
            throw new IllegalArgumentException("no section " + name + " among " + sections.keySet());
        }
        return section.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int[] ints(ByteBuffer from) {
        int[] values = new int[from.remaining() / 4];
        from.asIntBuffer().get(values);
        return values;
    }

    Set<String> names() {
        return sections.keySet();
    }

    int[] routes(String name) {
        return routes.computeIfAbsent(name, key -> ints(section("r:" + key)));
    }

    Probes probes(String name) {
        return probes.computeIfAbsent(name, key -> {
            ByteBuffer from = section("p:" + key);
            if (key.endsWith("4")) {
                return new Probes(key, ints(from), new long[0], new long[0]);
            }
            long[] upper = new long[from.remaining() / 16];
            long[] lower = new long[upper.length];
            for (int i = 0; i < upper.length; i++) {
                upper[i] = Long.reverseBytes(from.getLong());
                lower[i] = Long.reverseBytes(from.getLong());
            }
            return new Probes(key, new int[0], upper, lower);
        });
    }

    /** Expected results by query. */
    Map<String, String> expected() {
        Map<String, String> expected = new LinkedHashMap<>();
        new String(section("expect").array(), StandardCharsets.US_ASCII).lines().forEach(line -> {
            int at = line.indexOf(" = ");
            expected.put(line.substring(0, at), line.substring(at + 3));
        });
        return expected;
    }

    int prefixes() {
        return high.length;
    }

    long high(int prefix) {
        return high[prefix];
    }

    long low(int prefix) {
        return low[prefix];
    }

    int length(int prefix) {
        return length[prefix] & 0xFF;
    }

    boolean six(int prefix) {
        return six[prefix];
    }

    int setFrom(int set) {
        return sets[set];
    }

    int setTo(int set) {
        return sets[set + 1];
    }

    /** All sets; not to be written to. */
    byte[] bytes() {
        return bytes;
    }

    /** Addresses to ask for, of one family. */
    static final class Probes {
        final String name;
        final int[] four;
        final long[] high;
        final long[] low;

        Probes(String name, int[] four, long[] high, long[] low) {
            this.name = name;
            this.four = four;
            this.high = high;
            this.low = low;
        }

        boolean six() {
            return name.endsWith("6");
        }

        int size() {
            return six() ? high.length : four.length;
        }
    }
}
