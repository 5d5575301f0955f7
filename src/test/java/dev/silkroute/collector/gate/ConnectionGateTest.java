package dev.silkroute.collector.gate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.IpPrefix;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The address of a router behind a load balancer, and whether it may connect. */
class ConnectionGateTest {
    private static final String BALANCER = "10.0.0.9";
    private static final byte[] BMP = initiation();
    private static final String VERSION_2 = "0d0a0d0a000d0a515549540a";

    private static final InetAddress ANY = InetAddress.ofLiteral("192.0.2.250");
    private final SessionRegistry sessions = new SessionRegistry(1);
    private final RouterAccess access = new RouterAccess(
            List.of(IpPrefix.parse("10.0.0.0/24")),
            List.of(
                    IpPrefix.parse("10.0.0.9"),
                    IpPrefix.parse("192.0.2.0/24"),
                    IpPrefix.parse("198.51.100.7"),
                    IpPrefix.parse("2001:db8::/32")),
            null);

    private static byte[] initiation() {
        ByteSink bytes = new ByteSink();
        BmpEncoder.initiation("edge", "a router", bytes);
        return bytes.toByteArray();
    }

    private EmbeddedChannel connection(String from) {
        return GatedConnection.from(from, sessions, access);
    }

    private static void write(EmbeddedChannel channel, byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
    }

    private static byte[] header(String text) {
        return (text + "\r\n").getBytes(US_ASCII);
    }

    private static void isFrom(EmbeddedChannel channel, String address) {
        FrameBatch batch = channel.readInbound();
        assertThat(batch.bytes()).isEqualTo(BMP);
        assertThat(batch.session().address().getHostAddress()).isEqualTo(address);
        batch.acknowledged();
        channel.finishAndReleaseAll();
    }

    @Test
    void theHeaderContainsTheRoutersAddress() {
        EmbeddedChannel channel = connection(BALANCER);
        assertThat(sessions.reserve(ANY))
                .as("the connection has the only place")
                .isNull();
        ByteSink all = new ByteSink();
        byte[] header = header("PROXY TCP4 198.51.100.7 10.0.0.9 4711 11019");
        write(
                channel,
                all.bytes(header, 0, header.length).bytes(BMP, 0, BMP.length).toByteArray());
        assertThat(sessions.count()).isEqualTo(1);
        isFrom(channel, "198.51.100.7");
    }

    @Test
    void theHeaderCanArriveByteByByteInVersion2WithIpv6() {
        EmbeddedChannel channel = connection(BALANCER);
        String addresses = "20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "12672b0b";
        for (byte one : HexFormat.of().parseHex(VERSION_2 + "21" + "21" + "0024" + addresses)) {
            write(channel, new byte[] {one});
        }
        for (byte one : BMP) {
            write(channel, new byte[] {one});
        }
        isFrom(channel, "2001:db8:0:0:0:0:0:7");
    }

    @ParameterizedTest
    @CsvSource({"4096,true", "5000,false"})
    void furtherContentsOfTheHeaderAreSkippedUpToABound(int length, boolean fits) {
        EmbeddedChannel channel = connection(BALANCER);
        ByteSink header = new ByteSink();
        byte[] fixed = HexFormat.of().parseHex(VERSION_2 + "21" + "11");
        header.bytes(fixed, 0, fixed.length)
                .u16(12 + 3 + length)
                .u32(0xC633_6407)
                .u32(0x0A00_0009)
                .u16(4711)
                .u16(11019);
        byte[] beside = new byte[length];
        header.u8(0xEE).u16(length).bytes(beside, 0, length);
        write(channel, header.toByteArray());
        if (fits) {
            write(channel, BMP);
            isFrom(channel, "198.51.100.7");
        } else {
            isClosed(channel);
        }
    }

    @Test
    void aBalancersOwnConnectionHasItsOwnAddress() {
        EmbeddedChannel channel = connection(BALANCER);
        write(channel, HexFormat.of().parseHex(VERSION_2 + "20" + "00" + "0000"));
        write(channel, BMP);
        isFrom(channel, BALANCER);
    }

    @Test
    void otherAddressesSendBmpAtOnce() {
        EmbeddedChannel channel = connection("192.0.2.1");
        write(channel, BMP);
        isFrom(channel, "192.0.2.1");
    }

    @Test
    void aHeaderFromAnotherAddressIsRejected() {
        EmbeddedChannel channel = connection("192.0.2.1");
        write(channel, header("PROXY TCP4 198.51.100.7 10.0.0.9 4711 11019"));
        assertThat(channel.isOpen()).isFalse();
        assertThat(sessions.ends(SessionEnd.WRONG_VERSION)).isEqualTo(1);
    }

    @Test
    void aBalancersConnectionWithoutAHeaderIsRejected() {
        EmbeddedChannel channel = connection(BALANCER);
        write(channel, BMP);
        write(channel, new byte[300]);
        assertThat(channel.isOpen()).isFalse();
        isClosed(channel);
    }

    @Test
    void aMissingHeaderIsAwaitedUntilTheTimeOut() {
        EmbeddedChannel channel = connection(BALANCER);
        write(channel, "PROXY TC".getBytes(US_ASCII));
        channel.advanceTimeBy(GatedConnection.TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
        isClosed(channel);
    }

    private void isClosed(EmbeddedChannel channel) {
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.inboundMessages()).isEmpty();
        assertThat(sessions.ends(SessionEnd.NO_PROXY_HEADER)).isEqualTo(1);
        assertThat(sessions.reserve(ANY)).as("its place is free").isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", VERSION_2 + "20" + "00" + "0000"})
    void aBalancersHealthCheckLeavesNothingBehind(String header) {
        EmbeddedChannel channel = connection(BALANCER);
        write(channel, HexFormat.of().parseHex(header));
        assertThat(sessions.reserve(ANY)).as("it has the only place").isNull();
        channel.close();
        assertThat(channel.inboundMessages()).isEmpty();
        assertThat(sessions.reserve(ANY)).isNotNull();
        assertThat(sessions.ends(SessionEnd.NO_PROXY_HEADER)).isZero();
        assertThat(sessions.ends(SessionEnd.CLOSED)).isZero();
    }

    @Test
    void aRouterThatIsNotAllowedIsRejected() {
        EmbeddedChannel direct = connection("203.0.113.1");
        assertThat(direct.isOpen()).isFalse();
        EmbeddedChannel behind = connection(BALANCER);
        ByteSink all = new ByteSink();
        byte[] header = header("PROXY TCP4 198.51.100.8 10.0.0.9 4711 11019");
        ByteBuf read = Unpooled.wrappedBuffer(
                all.bytes(header, 0, header.length).bytes(BMP, 0, BMP.length).toByteArray());
        behind.writeInbound(read);
        assertThat(read.refCnt()).isZero();
        assertThat(behind.isOpen()).isFalse();
        assertThat(sessions.ends(SessionEnd.NOT_ALLOWED)).isEqualTo(2);
        assertThat(sessions.count()).isZero();
        assertThat(sessions.reserve(ANY)).as("there is room as before").isNotNull();
    }

    @Test
    void atTheLimitOfSessionsABalancersConnectionIsRejected() {
        assertThat(sessions.reserve(ANY)).isNotNull();
        assertThat(connection(BALANCER).isOpen()).isFalse();
        assertThat(sessions.rejected()).isEqualTo(1);
    }
}
