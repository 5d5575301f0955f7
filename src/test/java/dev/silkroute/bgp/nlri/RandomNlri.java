package dev.silkroute.bgp.nlri;

import dev.silkroute.net.ByteSink;
import java.util.Random;

/** NLRI made from a seed: common shapes and odd ones. */
final class RandomNlri {
    private final Random random;

    RandomNlri(long seed) {
        random = new Random(seed);
    }

    /**
     * Mostly valid NLRI: an example with a few bytes changed, or raw bytes with a fitting start. The caller keeps what
     * {@link NlriFormat} finds whole.
     */
    byte[] next(byte[] example) {
        if (random.nextInt(4) == 0) {
            byte[] noise = new byte[1 + random.nextInt(60)];
            random.nextBytes(noise);
            noise[0] = example[0];
            return noise;
        }
        byte[] changed = example.clone();
        for (int i = random.nextInt(4); i > 0; i--) {
            changed[random.nextInt(changed.length)] =
                    (byte) (random.nextInt(3) == 0 ? random.nextInt(4) : random.nextInt());
        }
        return changed;
    }

    /** A flow specification of random components and operators. */
    byte[] flowSpec(boolean ipv6) {
        ByteSink body = new ByteSink();
        for (int type = 1; type <= (ipv6 ? 13 : 12); type++) {
            if (random.nextInt(3) == 0) {
                body.u8(type);
                component(type, ipv6, body);
            }
        }
        ByteSink out = new ByteSink();
        int length = body.position();
        if (length >= 240 || length > 0 && random.nextInt(20) == 0) {
            out.u16(0xF000 | length);
        } else {
            out.u8(length);
        }
        return out.bytes(body.array(), 0, length).toByteArray();
    }

    private void component(int type, boolean ipv6, ByteSink body) {
        if (type <= 2) {
            int bits = random.nextInt(ipv6 ? 129 : 33);
            int offset = ipv6 && bits > 0 && random.nextBoolean() ? random.nextInt(bits) : 0;
            body.u8(bits);
            if (ipv6) {
                body.u8(offset);
            }
            for (int i = 0; i < bits - offset; i += 8) {
                int unused = Math.max(0, i + 8 - (bits - offset));
                body.u8(random.nextInt(256) & (random.nextInt(5) == 0 ? 0xFF : 0xFF << unused));
            }
            return;
        }
        int count = 1 + random.nextInt(4);
        for (int i = 1; i <= count; i++) {
            int size = random.nextInt(4);
            int operator = (i == count ? 0x80 : 0) | size << 4 | random.nextInt(random.nextInt(4) == 0 ? 16 : 4);
            body.u8(operator | (i > 1 && random.nextBoolean() ? 0x40 : 0));
            for (int octet = 0; octet < 1 << size; octet++) {
                body.u8(random.nextInt(3) == 0 ? 0 : random.nextInt(256));
            }
        }
    }
}
