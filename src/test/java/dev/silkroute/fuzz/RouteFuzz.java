package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.net.BigEndian;
import dev.silkroute.route.EventKind;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteBatchBuilder;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.RouteGroupBuilder;
import dev.silkroute.route.WireFormatException;
import java.util.zip.CRC32C;

/** Fuzzes the wire format of {@code bmp.routes}. */
class RouteFuzz {
    private static final int CRC = 4;
    private static final int LENGTH = 8;
    private static final int HEADER = 52;

    private final RouteBatchBuilder builder = new RouteBatchBuilder();

    /** Input: a record. */
    @FuzzTest(maxDuration = "1m")
    void record(byte[] input) {
        read(input);
    }

    /** Input: a record whose magic, version, length and checksum are corrected before it is read. */
    @FuzzTest(maxDuration = "3m")
    void content(byte[] input) {
        if (input.length < HEADER) {
            return;
        }
        byte[] record = input.clone();
        BigEndian.putU32(record, 0, 0x5352_4201);
        BigEndian.putU32(record, LENGTH, record.length);
        CRC32C crc = new CRC32C();
        crc.update(record, LENGTH, record.length - LENGTH);
        BigEndian.putU32(record, CRC, (int) crc.getValue());
        read(record);
    }

    private void read(byte[] record) {
        RouteBatch batch;
        try {
            batch = RouteBatch.read(record);
        } catch (WireFormatException e) {
            assertThat(e.offset()).as(e.getMessage()).isBetween(0, record.length);
            return;
        }
        int events = Reading.batch(batch);
        assertThat(events).isLessThanOrEqualTo(record.length);
        if (batch.collector().length()
                        + batch.router().length()
                        + batch.routerAddress().length()
                > 20_000) {
            return; // names that are not UTF-8 get longer when they are written again
        }
        RouteBatch again = RouteBatch.read(written(batch));
        assertThat(text(again)).isEqualTo(text(batch));
    }

    /** Writes the same events one by one. */
    private byte[] written(RouteBatch batch) {
        builder.begin(
                batch.collector(), batch.router(), batch.routerAddress(), batch.sessionId(), batch.receivedAtMicros());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            int peer = cursor.peerIndex() < 0 ? -1 : builder.peer(batch.peer(cursor.peerIndex()));
            if (!cursor.kind().isRoute()) {
                builder.event(
                        cursor.kind(),
                        peer,
                        cursor.family(),
                        cursor.coversAllViews(),
                        cursor.sequence(),
                        cursor.routerTimeMicros());
                continue;
            }
            int set = cursor.attributeSet() < 0
                    ? -1
                    : builder.attributeSet(
                            batch.bytes(),
                            batch.attributesFrom(cursor.attributeSet()),
                            batch.attributesTo(cursor.attributeSet()));
            int from = cursor.nlri().from() - (cursor.nlri().hasPathId() ? 4 : 0);
            int to = cursor.nlri().to();
            RouteGroupBuilder route = builder.group(peer, cursor.family())
                    .pathIds(cursor.nlri().hasPathId())
                    .announcedForm(cursor.hasAnnouncedForm())
                    .synthetic(cursor.synthetic())
                    .at(cursor.sequence(), cursor.routerTimeMicros());
            if (cursor.kind() == EventKind.ANNOUNCE) {
                route.announce(set, 1, batch.bytes(), from, to);
            } else {
                route.withdraw(1, batch.bytes(), from, to);
            }
        }
        return builder.build();
    }

    private static String text(RouteBatch batch) {
        StringBuilder text = new StringBuilder();
        text.append(batch.collector()).append(batch.router()).append(batch.routerAddress());
        text.append(batch.sessionId()).append(' ').append(batch.receivedAtMicros());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            text.append('\n').append(cursor.kind()).append(' ').append(cursor.sequence());
            text.append(' ').append(cursor.family()).append(' ').append(cursor.routerTimeMicros());
            text.append(cursor.peerIndex() < 0 ? "" : batch.peer(cursor.peerIndex()));
            if (cursor.kind().isRoute()) {
                text.append(' ')
                        .append(cursor.synthetic())
                        .append(' ')
                        .append(cursor.nlri().pathId());
                text.append(' ')
                        .append(cursor.nlri().addressHigh())
                        .append(' ')
                        .append(cursor.nlri().addressLow());
                text.append('/').append(cursor.nlri().prefixLength());
            }
        }
        return text.toString();
    }
}
