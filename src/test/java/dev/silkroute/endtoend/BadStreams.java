package dev.silkroute.endtoend;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.endtoend.BadStream.Expect;
import dev.silkroute.fixture.TestMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * Malformed streams, the same ones for the same seed. Each has an Initiation, a Peer Up and a route before its damage,
 * and two routes behind it, where it makes sense; kinds of damage take turns, and chance fills in the numbers.
 */
final class BadStreams {
    /** The route in the damaged message. */
    static final String DAMAGED = "203.0.113.0/24";

    static final String BEFORE = "198.51.1.0/24";

    /** The last route of a stream whose session continues. */
    static final String LAST = "198.51.3.0/24";

    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] DAMAGED_NLRI = HEX.parseHex("18cb0071");
    private static final int GOOD = 3;
    private static final int AFTER = 2;

    private final String prefix;
    private final Random random;
    private final List<byte[]> captured;
    private final List<BadStream> streams = new ArrayList<>();
    private String router = "";

    private BadStreams(int seed, List<byte[]> captured) {
        prefix = "bad" + seed + "-";
        random = new Random(seed);
        this.captured = captured;
    }

    /** @param capture a captured session whose messages are damaged, too */
    static List<BadStream> of(int seed, int count, byte[] capture) {
        List<byte[]> messages = new ArrayList<>();
        for (int at = 0; at < capture.length; at += BmpMessages.length(capture, at)) {
            messages.add(Arrays.copyOfRange(capture, at, at + BmpMessages.length(capture, at)));
        }
        BadStreams all = new BadStreams(seed, messages);
        List<Runnable> kinds = all.kinds();
        for (int i = 0; all.streams.size() < count; i++) {
            all.router = all.prefix + "%04d".formatted(all.streams.size());
            kinds.get(i % kinds.size()).run();
        }
        return all.streams;
    }

    private List<Runnable> kinds() {
        List<Runnable> kinds = new ArrayList<>();
        kinds.addAll(BadFraming.kinds(this));
        kinds.addAll(BadUpdates.kinds(this));
        kinds.addAll(BadBodies.kinds(this));
        kinds.addAll(Mutations.kinds(this));
        return kinds;
    }

    Random random() {
        return random;
    }

    List<byte[]> captured() {
        return captured;
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    int oneOf(int... values) {
        return values[random.nextInt(values.length)];
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Adds a message of correct length between valid ones. */
    void message(String damage, byte[] message, Expect expect) {
        add(damage, TestMessages.join(before(), message, after()), GOOD, GOOD + 1 + AFTER, expect);
    }

    /** Adds a Termination message, valid or not, between valid messages. */
    void termination(byte[] message) {
        add("Termination", TestMessages.join(before(), message, after()), GOOD, GOOD + 1, Expect.TERMINATE);
    }

    /** Adds bytes behind valid messages and before further ones, whose handling is undefined. */
    void bytes(String damage, byte[] bytes, Expect expect) {
        add(damage, TestMessages.join(before(), bytes, after()), GOOD, -1, expect);
    }

    /** Adds bytes behind valid messages, at the end of the stream. */
    void end(String damage, byte[] bytes, Expect expect) {
        add(damage, TestMessages.join(before(), bytes), GOOD, -1, expect);
    }

    /** Adds bytes without valid messages before them. */
    void start(String damage, byte[] bytes, Expect expect) {
        streams.add(new BadStream("", damage, bytes, 0, -1, expect, false));
    }

    void add(String damage, byte[] stream, int good, int messages, Expect expect) {
        streams.add(new BadStream(router, damage, stream, good, messages, expect, false));
    }

    void slow(String damage) {
        byte[] stream = TestMessages.join(before(), after());
        streams.add(new BadStream(router, damage, stream, GOOD + AFTER, GOOD + AFTER, Expect.ACCEPT, true));
    }

    byte[] before() {
        return TestMessages.join(
                TestMessages.initiation(router), TestMessages.peerUp("192.0.2.77"), TestMessages.route(1));
    }

    static byte[] after() {
        return TestMessages.join(TestMessages.route(2), TestMessages.route(3));
    }

    static byte[] damagedNlri() {
        return DAMAGED_NLRI.clone();
    }
}
