package dev.silkroute.endtoend;

import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.lie;

import dev.silkroute.endtoend.BadStream.Expect;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Messages of a real router with random damage to one of them. */
final class Mutations {
    private static final int HEADER = 6;

    private Mutations() {}

    static List<Runnable> kinds(BadStreams s) {
        return List.of(
                () -> mutate(
                        s,
                        "bit flipped",
                        true,
                        m -> m[at(s, m)] ^= (byte) (1 << s.random().nextInt(8))),
                () -> mutate(s, "byte set", true, m -> m[at(s, m)] = (byte) s.oneOf(0, 1, 0x7F, 0x80, 0xFE, 0xFF)),
                () -> mutate(s, "zeros", true, m -> {
                    int at = at(s, m);
                    Arrays.fill(m, at, Math.min(m.length, at + 8), (byte) 0);
                }),
                () -> mutate(s, "random rest", true, m -> {
                    int at = at(s, m);
                    byte[] rest = s.bytes(m.length - at);
                    System.arraycopy(rest, 0, m, at, rest.length);
                }),
                () -> lengthLie(s),
                () -> bytesLost(s));
    }

    private interface Damage {
        void on(byte[] message);
    }

    private static int at(BadStreams s, byte[] message) {
        return HEADER + s.random().nextInt(message.length - HEADER);
    }

    private static void mutate(BadStreams s, String what, boolean honest, Damage damage) {
        int number = pick(s);
        byte[] message = s.captured().get(number).clone();
        damage.on(message);
        add(s, what + " in message " + number, number, message, honest);
    }

    private static void lengthLie(BadStreams s) {
        int number = pick(s);
        byte[] message = s.captured().get(number);
        int length = Math.max(0, message.length + s.oneOf(-40, -7, -1, 1, 2, 6, 19, 255, 65_536));
        add(s, "length " + length + " in message " + number, number, lie(message, length), false);
    }

    private static void bytesLost(BadStreams s) {
        int number = pick(s);
        byte[] message = s.captured().get(number);
        Random random = s.random();
        int from = random.nextInt(message.length - 1);
        int to = Math.min(message.length, from + 1 + random.nextInt(8));
        byte[] rest = join(Arrays.copyOf(message, from), Arrays.copyOfRange(message, to, message.length));
        add(s, (to - from) + " bytes lost at " + from + " of message " + number, number, rest, false);
    }

    private static int pick(BadStreams s) {
        return 5 + s.random().nextInt(Math.min(s.captured().size() - 10, 100));
    }

    /** Returns the capture up to the damaged message, with an Initiation of our own. */
    private static void add(BadStreams s, String damage, int number, byte[] damaged, boolean honest) {
        byte[] head = join(s.captured().subList(1, number).toArray(byte[][]::new));
        byte[] tail = join(s.captured().subList(number + 1, number + 4).toArray(byte[][]::new));
        byte[] start = s.before();
        s.add(
                damage,
                join(start, head, damaged, tail, BadStreams.after()),
                3 + number - 1,
                honest ? 3 + number - 1 + 1 + 3 + 2 : -1,
                honest ? Expect.GO_ON : Expect.ANY);
    }
}
