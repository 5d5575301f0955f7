package dev.silkroute.perf.hostile;

import static dev.silkroute.fixture.TestMessages.attribute;
import static dev.silkroute.fixture.TestMessages.attributes;
import static dev.silkroute.fixture.TestMessages.bmp;
import static dev.silkroute.fixture.TestMessages.hex;
import static dev.silkroute.fixture.TestMessages.initiation;
import static dev.silkroute.fixture.TestMessages.ip;
import static dev.silkroute.fixture.TestMessages.join;
import static dev.silkroute.fixture.TestMessages.local;
import static dev.silkroute.fixture.TestMessages.monitoring;
import static dev.silkroute.fixture.TestMessages.open;
import static dev.silkroute.fixture.TestMessages.peerHeader;
import static dev.silkroute.fixture.TestMessages.peerUp;
import static dev.silkroute.fixture.TestMessages.tlv;
import static dev.silkroute.fixture.TestMessages.update;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.fixture.CollidingKeys;
import dev.silkroute.net.ByteSink;
import java.util.Locale;
import java.util.Random;

/**
 * Kinds of valid input that cost a station more than they cost their sender. Each kind makes messages without end from
 * a random number generator, so that two connections do not send the same.
 */
enum Flood {
    /** The smallest messages there are. */
    TINY {
        @Override
        void message(Random random, int number, ByteSink out) {
            add(out, bmp(4));
        }
    },
    /** Many connections that send an Initiation and nothing else. */
    IDLE {
        @Override
        byte[] beginning(String name) {
            return initiation(name);
        }

        @Override
        boolean isSilent() {
            return true;
        }

        @Override
        int connections(int usual) {
            return 64 * usual;
        }
    },
    /** Connections that begin a message and never end it. */
    HALF_MESSAGES {
        @Override
        byte[] beginning(String name) {
            return join(initiation(name), hex("030000ffff00"));
        }

        @Override
        boolean isSilent() {
            return true;
        }
    },
    /** Routes to single IPv6 addresses. */
    IPV6 {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 150; i++) {
                nlri.u8(128)
                        .i64(0x20010db800000000L | random.nextInt() & 0xFFFFFFFFL)
                        .i64(random.nextLong());
            }
            add(out, reach(2, 1, hex("20010db8000000000000000000000001"), nlri));
        }
    },
    /** Like IPV6, with addresses that collide under a linear hash function of their halves. */
    IPV6_COLLIDING {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 150; i++) {
                int key = random.nextInt(Integer.MAX_VALUE);
                nlri.u8(128).i64(CollidingKeys.high(key)).i64(CollidingKeys.low(key));
            }
            add(out, reach(2, 1, hex("20010db8000000000000000000000001"), nlri));
        }
    },
    EVPN {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 50; i++) {
                nlri.u8(2).u8(33).i64(random.nextLong() >>> 16).i64(0).u16(0).u32(random.nextInt());
                nlri.u8(48)
                        .u16(random.nextInt())
                        .u32(random.nextInt())
                        .u8(0)
                        .u8(0)
                        .u8(0)
                        .u8(1);
            }
            add(out, reach(25, 70, ip("192.0.2.1"), nlri));
        }
    },
    /** Like EVPN, with bytes that collide under the usual hash function of arrays. */
    EVPN_COLLIDING {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 50; i++) {
                byte[] pairs = CollidingKeys.pairs(random.nextInt());
                nlri.u8(2).u8(49).u16(0).bytes(pairs, 0, 6).i64(0).u16(0).bytes(pairs, 6, 10);
                nlri.u8(48)
                        .bytes(pairs, 10, 16)
                        .u8(128)
                        .bytes(pairs, 16, 32)
                        .u16(0)
                        .u8(1);
            }
            add(out, reach(25, 70, ip("192.0.2.1"), nlri));
        }
    },
    /** VPN routes, each with a route distinguisher of its own. */
    ROUTE_DISTINGUISHERS {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 100; i++) {
                nlri.u8(24 + 64 + 24)
                        .u8(0)
                        .u8(16)
                        .u8(1)
                        .i64(random.nextLong() >>> 16)
                        .u8(10)
                        .u8(0)
                        .u8(0);
            }
            add(out, reach(1, 128, join(new byte[8], ip("192.0.2.1")), nlri));
        }
    },
    /** One VPN route again and again, each time with another label. */
    LABELS {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            int label = random.nextInt() | 1;
            nlri.u8(24 + 64 + 24)
                    .u8(label >> 16 & 0xFF)
                    .u8(label >> 8 & 0xFF)
                    .u8(label & 0xF0 | 1)
                    .i64(1)
                    .u8(10)
                    .u8(0)
                    .u8(0);
            add(out, reach(1, 128, join(new byte[8], ip("192.0.2.1")), nlri));
        }
    },
    FLOW_SPEC {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 50; i++) {
                // destination prefix, then 20 ports
                nlri.u8(6 + 1 + 20 * 3).u8(1).u8(32).u32(random.nextInt()).u8(4);
                for (int port = 0; port < 20; port++) {
                    nlri.u8(port == 19 ? 0x91 : 0x11).u16(random.nextInt() & 0xFFFF);
                }
            }
            add(out, reach(1, 133, new byte[0], nlri));
        }
    },
    /** Nodes with long descriptors. */
    BGP_LS {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 40; i++) {
                nlri.u16(1).u16(39).u8(2).i64(random.nextLong()).u16(256).u16(26);
                nlri.u16(512).u16(4).u32(65_000).u16(513).u16(4).u32(random.nextInt());
                nlri.u16(515).u16(6).u32(random.nextInt()).u16(random.nextInt() & 0xFFFF);
            }
            add(out, reach(16388, 71, ip("192.0.2.1"), nlri));
        }
    },
    /** One prefix with as many path identifiers as fit. */
    PATH_IDENTIFIERS {
        @Override
        byte[] beginning(String name) {
            byte[] addPath = open(65_001, "41040000fde9" + "010400010001" + "450400010103");
            return join(initiation(name), bmp(3, peerHeader(), local(), addPath, addPath));
        }

        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink nlri = new ByteSink();
            for (int i = 0; i < 300; i++) {
                nlri.u32(random.nextInt()).u8(8).u8(10);
            }
            add(out, monitoring(update(new byte[0], attributes(), nlri.toByteArray())));
        }
    },
    /** An attribute set of its own for each route. */
    ATTRIBUTE_SETS {
        @Override
        void message(Random random, int number, ByteSink out) {
            byte[] communities = new byte[400];
            random.nextBytes(communities);
            byte[] all = join(attributes(), attribute(0xC0, 8, communities));
            add(out, monitoring(update(new byte[0], all, new byte[] {24, 10, (byte) (number >> 8), (byte) number})));
        }
    },
    /** Peers that differ in their distinguisher, with a route each. */
    PEERS {
        @Override
        void message(Random random, int number, ByteSink out) {
            addPeer(out, random.nextLong());
        }
    },
    /** Like PEERS, with distinguishers that collide under the usual hash function of numbers. */
    PEERS_COLLIDING {
        @Override
        void message(Random random, int number, ByteSink out) {
            addPeer(out, CollidingKeys.folded(random.nextInt(Integer.MAX_VALUE)));
        }
    },
    /** A peer that goes up and down. */
    FLAPPING {
        @Override
        void message(Random random, int number, ByteSink out) {
            byte[] peer = peer(number & 7);
            add(out, bmp(3, peer, local(), open(), open()));
            add(out, bmp(2, peer, new byte[] {4}));
        }
    },
    /** Peer Up messages whose OPENs are full of unknown capabilities. */
    CAPABILITIES {
        @Override
        void message(Random random, int number, ByteSink out) {
            StringBuilder capabilities = new StringBuilder("41040000fde9");
            for (int i = 0; i < 110; i++) {
                capabilities.append("%02x00".formatted(128 + random.nextInt(120)));
            }
            byte[] open = open(65_001, capabilities.toString());
            add(out, bmp(3, peer(number & 0xFFF), local(), open, open));
        }
    },
    /** Statistics Reports with thousands of TLVs. */
    TLVS {
        @Override
        void message(Random random, int number, ByteSink out) {
            ByteSink body = new ByteSink();
            body.u32(4000);
            for (int i = 0; i < 4000; i++) {
                body.u16(1_000 + random.nextInt(64_000)).u16(4).u32(random.nextInt());
            }
            add(out, bmp(1, peerHeader(), body.toByteArray()));
        }
    },
    /** Initiations with TLVs as long as possible, in session after session, each under another long name. */
    SYS_NAMES {
        @Override
        byte[] beginning(String name) {
            byte[] text = (name + "x".repeat(60_000)).getBytes(UTF_8);
            byte[] longName = (name + "x".repeat(240)).getBytes(UTF_8);
            return bmp(4, tlv(1, text), tlv(2, longName));
        }

        @Override
        boolean reconnects() {
            return true;
        }
    };

    /** The first messages of a connection. */
    byte[] beginning(String name) {
        return join(initiation(name), peerUp("192.0.2.77"));
    }

    /** Adds the next message, or a few that belong together. */
    void message(Random random, int number, ByteSink out) {}

    /** Returns whether a connection sends only its first messages. */
    boolean isSilent() {
        return false;
    }

    /** Returns whether a connection ends after its first messages, and another one follows. */
    boolean reconnects() {
        return false;
    }

    /** Returns how many connections the flood has, given the usual number. */
    int connections(int usual) {
        return usual;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void add(ByteSink out, byte[] message) {
        out.bytes(message, 0, message.length);
    }

    private static void addPeer(ByteSink out, long distinguisher) {
        byte[] peer = peer(distinguisher);
        add(out, bmp(3, peer, local(), open(), open()));
        add(out, bmp(0, peer, update(new byte[0], attributes(), new byte[] {24, 10, 0, 0})));
    }

    private static byte[] reach(int afi, int safi, byte[] nextHop, ByteSink nlri) {
        ByteSink value = new ByteSink();
        value.u16(afi)
                .u8(safi)
                .u8(nextHop.length)
                .bytes(nextHop, 0, nextHop.length)
                .u8(0);
        value.bytes(nlri.array(), 0, nlri.position());
        byte[] all = join(attributes(3), attribute(0x80, 14, value.toByteArray()));
        return monitoring(update(new byte[0], all, new byte[0]));
    }

    private static byte[] peer(long distinguisher) {
        ByteSink out = new ByteSink();
        out.u8(1).u8(0).i64(distinguisher).i64(0).u32(0).bytes(ip("192.0.2.77"), 0, 4);
        return out.u32(65_001).u32(0x0A00_004D).u32(1_700_000_000).u32(0).toByteArray();
    }
}
