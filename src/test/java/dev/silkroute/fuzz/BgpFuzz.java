package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.open.Open;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bgp.update.UpdateDecoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;

/** Fuzzes BGP messages. Inputs have no marker and length, so that mutations affect the content. */
class BgpFuzz {
    private static final int OPEN = 1;
    private static final int UPDATE = 2;
    private static final int LONGEST = 65_535 - 19;

    private final UpdateDecoder decoder = new UpdateDecoder();

    private static ByteSink message(int type, byte[] body, int from) {
        ByteSink message = new ByteSink();
        int to = Math.min(body.length, from + LONGEST);
        message.i64(-1).i64(-1).u16(19 + to - from).u8(type).bytes(body, from, to);
        return message;
    }

    /** Input: context, body of an UPDATE. */
    @FuzzTest(maxDuration = "2m")
    void update(byte[] input) {
        if (input.length > 0) {
            ByteSink message = message(UPDATE, input, 1);
            Reading.update(decoder, message.array(), 0, message.position(), Reading.context(input[0]));
        }
    }

    /** Input: a BGP message of any type. */
    @FuzzTest(maxDuration = "2m")
    void message(byte[] input) {
        Reading.update(decoder, input, 0, input.length, Reading.context(0));
    }

    /** Input: context, then one attribute, which follows the mandatory ones in an UPDATE of one route. */
    @FuzzTest(maxDuration = "2m")
    void attribute(byte[] input) {
        if (input.length < 3 || input.length > 60_000) {
            return;
        }
        int value = 3;
        ByteSink attributes = new ByteSink();
        for (int type = 1; type <= 3; type++) {
            if (type != (input[2] & 0xFF)) {
                mandatory(type, (input[0] & 1) == 0, attributes);
            }
        }
        attributes.u8(input[1] | 0x10).u8(input[2]).u16(input.length - value).bytes(input, value, input.length);
        ByteSink body = new ByteSink();
        body.u16(0).u16(attributes.position()).bytes(attributes.array(), 0, attributes.position());
        body.u8(24).u8(198).u8(51).u8(100);
        ByteSink message = message(UPDATE, body.toByteArray(), 0);
        Reading.update(decoder, message.array(), 0, message.position(), Reading.context(input[0] & 1));
    }

    private static void mandatory(int type, boolean four, ByteSink out) {
        switch (type) {
            case 1 -> out.u8(0x40).u8(1).u8(1).u8(0);
            case 2 -> {
                out.u8(0x40).u8(2).u8(four ? 6 : 4).u8(2).u8(1);
                if (four) {
                    out.u32(65_001);
                } else {
                    out.u16(65_001);
                }
            }
            default -> out.u8(0x40).u8(3).u8(4).u32(0xC000_024D);
        }
    }

    /** Input: a canonical attribute set of the wire format. */
    @FuzzTest(maxDuration = "2m")
    void attributeSet(byte[] input) {
        PathAttributes set;
        try {
            set = PathAttributes.decode(input, 0, input.length);
        } catch (DecodeException e) {
            Reading.inside(e, 0, input.length);
            return;
        }
        Reading.attributes(set, input, input.length);
    }

    /** Input: body of an OPEN, which is also negotiated with itself in both directions. */
    @FuzzTest(maxDuration = "2m")
    void open(byte[] input) {
        ByteSink message = message(OPEN, input, 0);
        Open open;
        try {
            open = Open.decode(message.array(), 0, message.position());
        } catch (DecodeException e) {
            Reading.inside(e, 0, message.position());
            return;
        }
        assertThat(open.raw().length()).isEqualTo(message.position());
        Reading.json(open.toJson());
        for (boolean locRib : new boolean[] {false, true}) {
            SessionCapabilities agreed = SessionCapabilities.of(open, open, locRib);
            Reading.json(agreed.toJson());
            assertThat(agreed.addPath(true)).isEqualTo(agreed.addPathSent());
        }
    }
}
