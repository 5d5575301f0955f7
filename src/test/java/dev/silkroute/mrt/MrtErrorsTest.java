package dev.silkroute.mrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.capture.CaptureException;
import dev.silkroute.capture.CaptureFile;
import dev.silkroute.capture.CaptureSession;
import dev.silkroute.capture.SessionReader;
import dev.silkroute.mrt.MrtBuilder.Entry;
import dev.silkroute.mrt.MrtBuilder.Peer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the errors of MRT files that cannot be read completely: they contain reason and offset. */
class MrtErrorsTest {
    private static final byte[] ROUTE = Attributes.via("192.0.2.1", "64500 1");

    @TempDir
    Path folder;

    private static MrtBuilder table() {
        return new MrtBuilder().peers("10.0.0.9", "", List.of(new Peer("192.0.2.1", 64500, "10.0.0.1")));
    }

    private static MrtBuilder add(MrtBuilder mrt, String prefix) {
        return mrt.routes(2, MrtBuilder.prefix(prefix), new Entry(0, 1, null, ROUTE));
    }

    private CaptureException rejected(byte[] file) {
        return assertThatExceptionOfType(CaptureException.class)
                .isThrownBy(() -> Station.open(MrtBuilder.write(folder.resolve("a"), file))
                        .survey())
                .actual();
    }

    @Test
    void aTruncatedTableIsPlayedUpToTheTruncationWithoutEndOfRib() throws Exception {
        MrtBuilder mrt = add(add(table(), "203.0.113.0/24"), "203.0.114.0/24");
        int last = mrt.length();
        byte[] whole = add(mrt, "203.0.115.0/24").bytes();
        for (int cut = last + 1; cut < whole.length; cut++) {
            Station station = Station.of(MrtBuilder.write(folder.resolve("a"), Arrays.copyOf(whole, cut)));

            assertThat(station.routes).hasSize(2);
            assertThat(station.events).noneMatch(event -> event.startsWith("END_OF_RIB"));
            assertThat(station.failure.offset()).isEqualTo(last);
            assertThat(station.failure.reason()).startsWith("truncated: a record");
        }
    }

    @Test
    void aDamagedRecordEndsItThere() throws Exception {
        MrtBuilder mrt = add(table(), "203.0.113.0/24");
        int last = mrt.length();
        mrt.routes(2, MrtBuilder.prefix("203.0.114.0/24"), new Entry(0, 1, null, ROUTE), new Entry(1, 1, null, ROUTE));

        Station station = Station.of(mrt.write(folder.resolve("a")));

        // The entry before the damaged one counts.
        assertThat(station.routes).hasSize(2);
        assertThat(station.failure.reason()).isEqualTo("damaged: a route of peer 1 of 1");
        assertThat(station.failure.offset()).isEqualTo(last + 12 + 4 + 4 + 2 + 8 + ROUTE.length);
    }

    @Test
    void whatCannotBePlayedIsRejected() {
        assertThat(rejected(add(new MrtBuilder(), "203.0.113.0/24").bytes()))
                .hasMessageEndingWith("offset 12: damaged: routes of a table before its PEER_INDEX_TABLE");
        assertThat(rejected(new MrtBuilder().record(11, 0, new byte[30]).bytes()))
                .hasMessageEndingWith("offset 0: no BGP peer in 1 MRT records");
        assertThat(rejected(new MrtBuilder().record(13, 2, new byte[0]).bytes()))
                .hasMessageContaining("damaged: ");
        assertThat(rejected(new byte[] {0x65, 0, 0, 0, 0, 13, 0, 1, 0x7f, 0, 0, 0}))
                .hasMessageContaining("not a capture");
        assertThat(rejected(Arrays.copyOf(table().bytes(), 11))).hasMessageContaining("not a capture");
        assertThat(rejected(Arrays.copyOf(table().bytes(), 20))).hasMessageContaining("truncated: a record has 8 of");
    }

    @Test
    void recordsThatMakeNoSense() throws Exception {
        byte[] route = MrtBuilder.prefix("203.0.113.0/24");
        MrtBuilder message = new MrtBuilder().message(4, "192.0.2.1", 1, "192.0.2.2", 2, new byte[18]);
        assertThat(Station.of(message.write(folder.resolve("a"))).failure)
                .hasMessageEndingWith("offset 32: damaged: BGP message of 18 bytes");
        // The length of NLRI of an unknown family cannot be determined.
        MrtBuilder unknown = table().generic(6, 7, 99, route, new Entry(0, 1, null, ROUTE));
        assertThat(Station.of(unknown.write(folder.resolve("a"))).failure)
                .hasMessageContaining("damaged: routes of afi-7/safi-99 have no end that is known");
        MrtBuilder addresses = add(table(), "203.0.113.0/24").record(16, 4, new byte[20]);
        assertThat(Station.of(addresses.write(folder.resolve("a"))).failure)
                .hasMessageContaining("damaged: addresses of AFI 0");
    }

    @Test
    void attributesThatDoNotFit() throws Exception {
        byte[][] broken = {
            Arrays.copyOf(ROUTE, ROUTE.length - 1), {0x40}, {0x50, 2, 0}, {(byte) 0x80, 14, 3, 9, 9, 9},
        };
        for (byte[] attributes : broken) {
            MrtBuilder mrt = add(table(), "203.0.113.0/24");
            mrt.routes(2, MrtBuilder.prefix("203.0.114.0/24"), new Entry(0, 1, null, attributes));

            Station station = Station.of(mrt.write(folder.resolve("a")));

            assertThat(station.routes).hasSize(1);
            assertThat(station.failure).hasMessageContaining("damaged: ");
        }
    }

    @Test
    void whatIsLeftOutIsNoted() throws Exception {
        MrtBuilder mrt = new MrtBuilder().record(12, 1, new byte[40]).record(12, 1, new byte[40]);
        mrt.peers("10.0.0.9", "", List.of(new Peer("192.0.2.1", 64500, "10.0.0.1")));
        int globe = mrt.length();
        mrt.record(13, 7, new byte[4]);

        CaptureFile file = Station.open(add(mrt, "203.0.113.0/24").write(folder.resolve("a")));

        assertThat(file.survey().notes())
                .containsExactly(
                        "left out: 2 TABLE_DUMP records, the form before TABLE_DUMP_V2, the first at offset 0",
                        "left out: 1 TABLE_DUMP_V2 records of subtype 7, the first at offset " + globe);
        assertThat(file.survey().failure()).isNull();
    }

    /** Damaged in any way a file is played or rejected, never anything else, and both passes agree. */
    @Test
    void anyDamage() {
        MrtBuilder mrt = table();
        for (int i = 0; i < 20; i++) {
            add(mrt, "203.0." + i + ".0/24");
            mrt.routes(
                    4, MrtBuilder.prefix("2001:db8::/32"), new Entry(0, 1, null, Attributes.cut("2001:db8::1", "1")));
            mrt.routes(8, MrtBuilder.prefix("10.0.0.0/8"), new Entry(0, 1, i, ROUTE));
            mrt.state("192.0.2.1", 64500, "10.0.0.9", 64999, 5, 6);
            mrt.message(
                    4,
                    "192.0.2.1",
                    64500,
                    "10.0.0.9",
                    64999,
                    Attributes.announce(true, null, "203.0.113.0/24", "192.0.2.1", "1"));
        }
        byte[] good = mrt.bytes();
        int played = 0;
        for (int seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = good.clone();
            for (int i = 0; i <= seed % 15; i++) {
                damaged[random.nextInt(good.length)] = (byte) random.nextInt();
            }
            try {
                CaptureFile file = Station.open(MrtBuilder.write(folder.resolve("a"), damaged));
                for (CaptureSession session : file.survey().sessions()) {
                    assertThat(length(file, session)).as("seed " + seed).isEqualTo(session.bytes());
                    played++;
                }
            } catch (CaptureException e) {
                assertThat(e.offset()).as("seed " + seed).isBetween(0L, (long) good.length);
            }
        }
        assertThat(played).isGreaterThan(500);
    }

    private static long length(CaptureFile file, CaptureSession session) {
        long length = 0;
        try (SessionReader reader = file.read(session)) {
            while (reader.next()) {
                length += reader.to() - reader.from();
            }
        } catch (CaptureException e) {
            assertThat(e).isEqualTo(session.failure());
        }
        return length;
    }
}
