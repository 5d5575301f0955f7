package dev.silkroute.perf.rib;

import dev.silkroute.net.ByteSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Collects what a {@link Workload} has and writes it. */
final class WorkloadFile {
    private final ByteSink prefixes = new ByteSink();
    private final ByteSink bytes = new ByteSink();
    private final Map<String, ByteBuffer> sections = new LinkedHashMap<>();
    private final StringBuilder expected = new StringBuilder();
    private int[] sets = new int[1 << 16];
    private int setCount;

    /** @return the prefix's number */
    int prefix(long high, long low, int length, boolean six) {
        prefixes.i64(high);
        prefixes.i64(low);
        prefixes.u8(length);
        prefixes.u8(six ? 1 : 0);
        prefixes.u16(0);
        return prefixes.position() / Workload.PREFIX_BYTES - 1;
    }

    int prefixes() {
        return prefixes.position() / Workload.PREFIX_BYTES;
    }

    /** @return the set's number */
    int set(AttributeDraw.Drawn drawn, int peer, boolean six) {
        AttributeDraw.write(drawn, peer, six, bytes);
        if (setCount + 1 == sets.length) {
            sets = Arrays.copyOf(sets, sets.length * 2);
        }
        sets[++setCount] = bytes.position();
        return setCount - 1;
    }

    void routes(String name, int[] routes) {
        put("r:" + name, ints(routes, routes.length));
    }

    void probes(String name, int[] addresses) {
        put("p:" + name, ints(addresses, addresses.length));
    }

    void probes(String name, long[] high, long[] low) {
        ByteBuffer buffer = ByteBuffer.allocate(16 * high.length);
        for (int i = 0; i < high.length; i++) {
            buffer.putLong(high[i]).putLong(low[i]);
        }
        put("p:" + name, buffer.flip());
    }

    void expect(String query, String result) {
        expected.append(query).append(" = ").append(result).append('\n');
    }

    private void put(String name, ByteBuffer bytes) {
        if (name.length() > Workload.NAME_BYTES) {
            throw new IllegalArgumentException(name);
        }
        sections.put(name, bytes);
    }

    private static ByteBuffer ints(int[] values, int count) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(values, 0, count);
        return buffer;
    }

    void write(Path file) throws IOException {
        put("prefixes", ByteBuffer.wrap(prefixes.array(), 0, prefixes.position()));
        put("sets", ints(sets, setCount + 1));
        put("bytes", ByteBuffer.wrap(bytes.array(), 0, bytes.position()));
        put("expect", ByteBuffer.wrap(expected.toString().getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer directory = ByteBuffer.allocate(16 + sections.size() * Workload.ENTRY_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(Workload.MAGIC.getBytes(StandardCharsets.US_ASCII))
                .putInt(sections.size())
                .putInt(0);
        long at = directory.capacity();
        for (Map.Entry<String, ByteBuffer> section : sections.entrySet()) {
            byte[] name = section.getKey().getBytes(StandardCharsets.US_ASCII);
            int length = section.getValue().remaining();
            directory.put(Arrays.copyOf(name, Workload.NAME_BYTES)).putLong(at).putLong(length);
            at += length;
        }
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            write(channel, directory.flip());
            for (ByteBuffer section : sections.values()) {
                write(channel, section.duplicate());
            }
        }
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
