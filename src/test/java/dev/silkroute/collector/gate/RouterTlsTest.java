package dev.silkroute.collector.gate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.collector.sessions.SessionEnd;
import dev.silkroute.collector.sessions.SessionRegistry;
import dev.silkroute.collector.transport.FrameBatch;
import dev.silkroute.fixture.CapturedLog;
import dev.silkroute.fixture.KeyFiles;
import dev.silkroute.fixture.TestAuthority;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.IpPrefix;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routers' connections with TLS, and without. */
class RouterTlsTest {
    private static final String BALANCER = "10.0.0.9";
    private static final String DIRECT = "192.0.2.1";
    /** Shorter than the time-out of incomplete messages. */
    private static final Duration HANDSHAKE = GatedConnection.TIMEOUT.dividedBy(4);

    @TempDir
    static Path folder;

    private static KeyFiles station;
    private static KeyFiles router;

    private final AtomicReference<SslContext> certificate = new AtomicReference<>();
    private Executor handshakes = Runnable::run;
    private final CertifiedConnections connections = new CertifiedConnections();
    private CertificateName name = CertificateName.NONE;
    private int rejected;
    private final CapturedLog log = CapturedLog.of(ConnectionGate.class);

    @AfterEach
    void releaseLog() {
        log.close();
    }

    private static final InetAddress ANY = InetAddress.ofLiteral("192.0.2.250");
    private final SessionRegistry sessions = new SessionRegistry(1);

    @BeforeAll
    static void keys() throws Exception {
        station = KeyFiles.make(folder, "station");
        router = KeyFiles.make(folder, "router");
    }

    /** A connection to a station, and its other end if that uses TLS. */
    private record Connection(EmbeddedChannel server, EmbeddedChannel client) {
        void send(byte[] bytes) {
            client.writeOutbound(Unpooled.wrappedBuffer(bytes));
            exchange();
        }

        /** Transfers the bytes of both sides, one at a time, until there are none. */
        void exchange() {
            boolean some = true;
            while (some) {
                client.runPendingTasks();
                server.runPendingTasks();
                some = carry(client, server) | carry(server, client);
            }
        }

        private static boolean carry(EmbeddedChannel from, EmbeddedChannel to) {
            ByteBuf sent = from.readOutbound();
            if (sent == null) {
                return false;
            }
            while (sent.isReadable() && to.isOpen()) {
                to.writeInbound(sent.readRetainedSlice(1));
            }
            sent.release();
            return true;
        }
    }

    private EmbeddedChannel server(String from, boolean plainToo) {
        RouterTls tls = new RouterTls(certificate::get, plainToo, HANDSHAKE, handshakes, name, connections);
        return GatedConnection.from(
                from, sessions, new RouterAccess(List.of(IpPrefix.parse(BALANCER)), List.of(), tls));
    }

    private static Connection connect(EmbeddedChannel server, SSLContext as) {
        SSLEngine engine = as.createSSLEngine("127.0.0.1", 11019);
        engine.setUseClientMode(true);
        EmbeddedChannel client = new EmbeddedChannel(new SslHandler(engine), new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                // How the router sees a rejection does not matter here, as long as the connection is closed
            }
        });
        Connection connection = new Connection(server, client);
        connection.exchange();
        return connection;
    }

    private void certificate(KeyFiles shown, ClientAuth routers) throws Exception {
        certificate.set(new JdkSslContext(shown.context(router), false, routers));
    }

    private static byte[] initiation(int length) {
        ByteSink bytes = new ByteSink();
        BmpEncoder.initiation("edge", "x".repeat(length - 18), bytes);
        assertThat(bytes.toByteArray()).hasSize(length);
        return bytes.toByteArray();
    }

    private static FrameBatch batch(EmbeddedChannel server) {
        FrameBatch batch = server.readInbound();
        assertThat(batch).as("a batch").isNotNull();
        batch.acknowledged();
        return batch;
    }

    private void close(EmbeddedChannel server) {
        server.close();
        FrameBatch last = batch(server);
        assertThat(last.end()).isEqualTo("connection closed");
        assertThat(sessions.count()).isZero();
    }

    @Test
    void messagesArriveAsWithoutTls() throws Exception {
        certificate(station, ClientAuth.NONE);
        Connection connection = connect(server(DIRECT, false), station.trustingContext());
        assertThat(sessions.reserve(ANY))
                .as("the connection has the only place")
                .isNull();
        connection.send(initiation(900));
        assertThat(batch(connection.server()).bytes()).isEqualTo(initiation(900));
        assertThat(sessions.count()).isEqualTo(1);
        close(connection.server());
    }

    @Test
    void aProxyHeaderPrecedesTls() throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(BALANCER, false);
        server.writeInbound(
                Unpooled.wrappedBuffer("PROXY TCP4 198.51.100.7 10.0.0.9 4711 11019\r\n".getBytes(US_ASCII)));
        Connection connection = connect(server, station.trustingContext());
        connection.send(initiation(100));
        assertThat(batch(server).session().address().getHostAddress()).isEqualTo("198.51.100.7");
    }

    @Test
    void aClientCertificateCanBeRequired() throws Exception {
        certificate(station, ClientAuth.REQUIRE);
        Connection connection = connect(server(DIRECT, false), router.context(station));
        connection.send(initiation(100));
        assertThat(batch(connection.server()).bytes()).isEqualTo(initiation(100));
    }

    @Test
    void aRouterWithoutAValidCertificateIsRejected() throws Exception {
        certificate(station, ClientAuth.REQUIRE);
        isRejected(connect(server(DIRECT, false), station.trustingContext()).server(), 1);
        isRejected(connect(server(DIRECT, false), station.context(station)).server(), 2);
    }

    private Connection connect(RouterTrust trust, TestAuthority.Signed as) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(station.keyManagers(), new TrustManager[] {trust}, null);
        certificate.set(new JdkSslContext(context, false, ClientAuth.REQUIRE));
        return connect(server(DIRECT, false), as.context(station.certificate()));
    }

    private static RouterTrust trust(TestAuthority authority, Path... lists) throws Exception {
        CertificateFactory read = CertificateFactory.getInstance("X.509");
        List<X509CRL> revoked = new ArrayList<>();
        for (Path list : lists) {
            revoked.add((X509CRL) read.generateCRL(new ByteArrayInputStream(Files.readAllBytes(list))));
        }
        byte[] trusted = Files.readAllBytes(authority.certificate());
        return RouterTrust.of(
                List.of((X509Certificate) read.generateCertificate(new ByteArrayInputStream(trusted))), revoked);
    }

    @Test
    void theNameOfARouterIsThatOfItsCertificate() throws Exception {
        name = CertificateName.SAN_DNS;
        TestAuthority authority = TestAuthority.make(folder, "names");
        TestAuthority.Signed edge = authority.sign("edge", "-ext", "SAN=dns:edge.example.net");
        Connection connection = connect(trust(authority), edge);
        connection.send(initiation(100)); // which claims to be edge
        assertThat(batch(connection.server()).session().router()).isEqualTo("edge.example.net");
    }

    @Test
    void aCertificateWithoutTheNameIsRejectedWithSubjectAndSerialNumber() throws Exception {
        name = CertificateName.SAN_DNS;
        TestAuthority authority = TestAuthority.make(folder, "without-name");
        TestAuthority.Signed edge = authority.sign("edge");
        isRejected(
                connect(trust(authority), edge),
                "certificate CN=edge, serial number " + edge.serialNumber()
                        + ", has no dNSName among its subject alternative names");
    }

    @Test
    void expiredRevokedAndForeignCertificatesAreRejectedWithTheReason() throws Exception {
        TestAuthority authority = TestAuthority.make(folder, "authority");
        TestAuthority.Signed expired = authority.sign("expired", "-startdate", "-3d", "-validity", "1");
        TestAuthority.Signed revoked = authority.sign("revoked");
        TestAuthority.Signed good = authority.sign("good");
        TestAuthority.Signed foreign = TestAuthority.make(folder, "foreign").sign("foreigner");
        RouterTrust trust = trust(authority, authority.revoke("revoked.crl", revoked));
        name = CertificateName.CN;
        Connection accepted = connect(trust, good);
        accepted.send(initiation(100));
        assertThat(batch(accepted.server()).session().router()).isEqualTo("good");
        close(accepted.server());
        isRejected(
                connect(trust, expired),
                "certificate CN=expired, serial number " + expired.serialNumber() + ", has expired at ");
        isRejected(
                connect(trust, revoked),
                "certificate CN=revoked, serial number " + revoked.serialNumber() + ", was revoked at ",
                "key compromise");
        isRejected(
                connect(trust, foreign),
                "certificate CN=foreigner, serial number " + foreign.serialNumber()
                        + ", is not signed by an authority of silkroute.bmp-tls.client-ca, its issuer is CN=foreign");
    }

    @Test
    void withoutACurrentListOfTheIssuerNoCertificateIsAccepted() throws Exception {
        TestAuthority authority = TestAuthority.make(folder, "listless");
        TestAuthority other = TestAuthority.make(folder, "other");
        isRejected(
                connect(trust(authority, other.revoke("other.crl")), authority.sign("edge")),
                "may have been revoked: silkroute.bmp-tls.revocation-lists has no current list of its issuer CN=listless");
    }

    @Test
    void aSessionEndsWhenItsCertificateIsRevoked() throws Exception {
        TestAuthority authority = TestAuthority.make(folder, "revoking");
        TestAuthority.Signed edge = authority.sign("edge");
        Connection connection = connect(trust(authority), edge);
        connection.send(initiation(100));
        assertThat(batch(connection.server())).isNotNull();
        connections.check(trust(authority, authority.revoke("none.crl")));
        assertThat(connection.server().isOpen()).isTrue();
        connections.check(trust(authority, authority.revoke("edge.crl", edge)));
        assertThat(connection.server().isOpen()).isFalse();
    }

    private void isRejected(Connection connection, String... reasons) {
        assertThat(connection.server().isOpen()).isFalse();
        assertThat(sessions.count()).isZero();
        assertThat(sessions.ends(SessionEnd.INVALID_CERTIFICATE)).isEqualTo(++rejected);
        assertThat(sessions.ends(SessionEnd.NO_TLS)).isZero();
        assertThat(log.messages().getLast())
                .startsWith("BMP connection from 192.0.2.1 rejected, TLS: ")
                .contains(reasons);
    }

    @Test
    void aReloadedCertificateIsUsedFromTheNextConnectionOn() throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel before = server(DIRECT, false);
        connect(before, station.trustingContext()).send(initiation(100));
        assertThat(batch(before)).isNotNull();
        close(before);
        KeyFiles renewed = KeyFiles.make(folder, "renewed");
        certificate(renewed, ClientAuth.NONE);
        EmbeddedChannel after = server(DIRECT, false);
        connect(after, renewed.trustingContext()).send(initiation(100));
        assertThat(batch(after)).isNotNull();
    }

    @Test
    void plainBmpIsRejected() throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, false);
        ByteBuf read = Unpooled.wrappedBuffer(initiation(100));
        server.writeInbound(read);
        isRejected(server, 1);
        assertThat(read.refCnt()).isZero();
    }

    /** As SSL 2.0, the lengths 258 and 259 would be versions. */
    @ParameterizedTest
    @ValueSource(ints = {100, 258, 259, 514, 515})
    void plainBmpCanBeAcceptedAsWell(int length) throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, true);
        for (byte one : initiation(length)) {
            server.writeInbound(Unpooled.wrappedBuffer(new byte[] {one}));
        }
        assertThat(batch(server).bytes()).isEqualTo(initiation(length));
        close(server);
        connect(server(DIRECT, true), station.trustingContext()).send(initiation(length));
        assertThat(sessions.count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\u0016\u0003\u0001\u0002\u0000\u0001"})
    void aMissingHandshakeIsAwaitedUntilTheTimeOut(String sent) throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, true);
        server.writeInbound(Unpooled.wrappedBuffer(sent.getBytes(US_ASCII)));
        server.advanceTimeBy(HANDSHAKE.toNanos(), TimeUnit.NANOSECONDS);
        server.runScheduledPendingTasks();
        isRejected(server, 1);
    }

    /** The computations of a handshake run where they hold up no event loop, however many are pending there. */
    @Test
    void handshakesAreComputedElsewhere() throws Exception {
        Deque<Runnable> computations = new ArrayDeque<>();
        handshakes = computations::add;
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, false);
        Connection connection = connect(server, station.trustingContext());
        assertThat(computations).as("of the hello").isNotEmpty();
        assertThat((Object) server.readOutbound()).isNull();
        for (Runnable next = computations.poll(); next != null; next = computations.poll()) {
            next.run();
            connection.exchange();
        }
        connection.send(initiation(100));
        assertThat(batch(server).bytes()).isEqualTo(initiation(100));
    }

    @Test
    void aConnectionThatIsClosedDuringTheHandshakeIsRejectedWithThatReason() throws Exception {
        handshakes = new ArrayDeque<Runnable>()::add;
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, false);
        connect(server, station.trustingContext());
        server.unsafe().close(server.newPromise()); // by the peer: no handler is asked
        server.runPendingTasks();
        isRejected(server, 1);
        assertThat(log.messages())
                .containsExactly("BMP connection from " + DIRECT
                        + " rejected, TLS: the peer closed the connection during the handshake");
    }

    @Test
    void malformedTlsIsRejected() throws Exception {
        certificate(station, ClientAuth.NONE);
        EmbeddedChannel server = server(DIRECT, true);
        server.writeInbound(
                Unpooled.wrappedBuffer(new byte[] {22, 3, 1, 0, 4, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0}));
        isRejected(server, 1);
    }

    @Test
    void theEndOfTlsEndsTheSession() throws Exception {
        certificate(station, ClientAuth.NONE);
        Connection connection = connect(server(DIRECT, false), station.trustingContext());
        connection.send(initiation(100));
        assertThat(batch(connection.server())).isNotNull();
        connection.client().pipeline().get(SslHandler.class).closeOutbound();
        connection.exchange();
        assertThat(connection.server().isOpen()).isFalse();
        assertThat(sessions.ends(SessionEnd.CLOSED)).isEqualTo(1);
    }

    @Test
    void aHealthCheckLeavesNothingBehind() throws Exception {
        certificate(station, ClientAuth.NONE);
        server(DIRECT, false).close();
        assertThat(sessions.ends(SessionEnd.NO_TLS)).isZero();
        assertThat(sessions.reserve(ANY)).isNotNull();
    }

    private void isRejected(EmbeddedChannel server, int times) {
        assertThat(server.isOpen()).isFalse();
        assertThat(server.inboundMessages()).isEmpty();
        assertThat(sessions.ends(SessionEnd.NO_TLS)).isEqualTo(times);
        assertThat(sessions.count()).isZero();
        assertThat(sessions.reserve(ANY)).as("its place is free").isNotNull();
        sessions.release(ANY);
    }
}
