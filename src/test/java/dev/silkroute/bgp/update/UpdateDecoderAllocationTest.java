package dev.silkroute.bgp.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class UpdateDecoderAllocationTest {

    @Test
    void nothingIsAllocatedForAMessageWithoutFaults() {
        // Given
        assumeThat(ManagementFactory.getThreadMXBean()).isInstanceOf(ThreadMXBean.class);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] b = Updates.update(
                "18c63365",
                Updates.GOOD + Updates.mpReach(2, 1, "20010db8000000000000000000000001", "3020010db80005"),
                Updates.PREFIX);
        UpdateContext context = UpdateContext.strict(true, AddPathFamilies.of(Family.EVPN));
        UpdateDecoder decoder = new UpdateDecoder();
        NlriReader reader = new NlriReader();
        ByteSink sink = new ByteSink();
        run(10_000, b, context, decoder, reader, sink);

        // When
        long before = threads.getCurrentThreadAllocatedBytes();
        run(10_000, b, context, decoder, reader, sink);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        // Then: less than a byte per message, for the measuring itself may allocate
        assertThat(allocated).isLessThan(10_000);
    }

    private static void run(
            int times, byte[] b, UpdateContext context, UpdateDecoder decoder, NlriReader reader, ByteSink sink) {
        for (int i = 0; i < times; i++) {
            sink.reset();
            decoder.decode(b, 0, b.length, context);
            for (int section = 0; section < decoder.sections(); section++) {
                reader.read(
                        decoder.family(section),
                        b,
                        decoder.from(section),
                        decoder.to(section),
                        decoder.addPath(section),
                        !decoder.announces(section));
                if (decoder.announces(section)) {
                    decoder.writeAttributes(section, sink);
                }
            }
        }
    }
}
