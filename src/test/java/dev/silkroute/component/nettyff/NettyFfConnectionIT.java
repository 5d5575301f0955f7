package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.embedded.Ports;
import dev.silkroute.component.replay.Sink;
import dev.silkroute.fixture.KeyFiles;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.camel.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests connections that cannot be established or are lost while messages are pending. */
class NettyFfConnectionIT extends NettyFfHarness {
    @Test
    void aPeerThatClosesMidStreamLeavesEveryMessageCounted() throws Exception {
        sink.closeAfter(1_000_000);
        NettyFfEndpoint endpoint = route("&reconnect=false");

        int accepted = sendUntilRejected(60, Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> endpoint.getPending() == 0);

        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(accepted);
        assertThat(s.rejected()).isEqualTo(1);
        await().atMost(PATIENCE).until(() -> failuresNotified() == s.failed());
        assertThat(failures).hasSizeLessThanOrEqualTo(1).allSatisfy(exchange -> {
            assertThat(exchange.getIn().getHeader(NettyFfConstants.ADDRESS)).isEqualTo("tcp://" + sink.address());
            assertThat(exchange.getIn().getHeader(NettyFfConstants.FAILED_BYTES, Long.class))
                    .isGreaterThanOrEqualTo(s.failed() * 60);
            assertThat(exchange.getIn().getHeader(NettyFfConstants.CAUSE, String.class))
                    .isNotBlank();
            assertThat(exchange.getProperty(Exchange.EXCEPTION_CAUGHT)).isInstanceOf(java.io.IOException.class);
        });
        assertThat(send(new byte[60]).getException()).isInstanceOf(SendRejectedException.class);
    }

    @Test
    void aWaitingSenderIsReleasedWhenThePeerCloses() throws Exception {
        sink.closed().closeAfter(1);
        NettyFfEndpoint endpoint = route("&sendTimeout=1h");
        CompletableFuture<Integer> sender =
                CompletableFuture.supplyAsync(() -> sendUntilRejected(10_000, Integer.MAX_VALUE));
        awaitStall(endpoint);

        sink.open();

        assertThat(sender).succeedsWithin(PATIENCE);
        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(sender.join().longValue());
        assertThat(s.failed()).isPositive();
        await().atMost(PATIENCE).until(() -> failuresNotified() == s.failed());
    }

    @Test
    void itConnectsAndReconnectsFromTheLocalAddress() throws Exception {
        NettyFfEndpoint endpoint = route("&reconnectBackoff=10&localAddress=127.0.0.77");
        send("first");
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 1);
        sink.connections().getFirst().hangUp();
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 2);

        assertThat(sink.connections())
                .allSatisfy(each -> assertThat(each.remote().getHostAddress()).isEqualTo("127.0.0.77"));
        // the sink accepts a connection before the endpoint counts it
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(endpoint.getReconnects()).isEqualTo(1));
    }

    @Test
    void aNewConnectionStartsWithANewMessage() throws Exception {
        sink.closed().closeAfter(1);
        NettyFfEndpoint endpoint = route("&sendTimeout=200&reconnectBackoff=10");
        int accepted = sendUntilRejected(10_000, Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> !sink.connections().isEmpty());
        sink.open();
        await().atMost(PATIENCE).until(() -> endpoint.getPending() == 0);
        sink.closeAfter(Integer.MAX_VALUE);
        await().atMost(PATIENCE).until(() -> !reconnects.isEmpty());

        Exchange rejected = send("middle of the old session");
        template.sendBody("direct:in", "new session");
        endpoint.flush(PATIENCE);

        assertThat(rejected.getException()).hasMessageStartingWith("the connection was lost");
        Sink.Connection last = sink.connections().getLast();
        await().atMost(PATIENCE).until(() -> last.size() == 11);
        assertThat(last.bytes()).asString().isEqualTo("new session");
        NettyFfStatistics s = endpoint.getStatistics();
        assertInvariant(s);
        assertThat(s.accepted()).isEqualTo(accepted + 1);
        assertThat(s.reconnects()).isPositive();
        assertThat(reconnects.getLast().getIn().getHeader(NettyFfConstants.RECONNECTS, Long.class))
                .isPositive();
    }

    @Test
    void withoutAPeerMessagesFailUntilOneListens() throws Exception {
        int port = Ports.reserve(Ports.LOOPBACK);
        NettyFfEndpoint endpoint = route(port, "&reconnectBackoff=50");

        template.sendBody("direct:in", "lost");
        await().atMost(PATIENCE).until(() -> endpoint.getFailed() == 1);
        await().atMost(PATIENCE).until(() -> failuresNotified() == 1);
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            try (var socket = server.accept()) {
                await().atMost(PATIENCE).until(() -> send("hello").getException() == null);
                assertThat(socket.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
            }
        }
        assertInvariant(endpoint.getStatistics());
    }

    @Test
    void anEagerEndpointDoesNotStartWithoutItsPeer() throws Exception {
        int port = Ports.reserve(Ports.LOOPBACK);
        assertThatThrownBy(() -> route(port, "&lazyChannelCreation=false"))
                .rootCause()
                .hasMessageContaining("refused");

        route("&lazyChannelCreation=false&reconnect=false").getStatistics();
        await().atMost(PATIENCE).until(() -> sink.connections().size() == 1);
    }

    /** A write that fails because the peer has closed must not hide why it has closed. */
    @Test
    void theReasonForWhichThePeerRejectsTheCertificateIsTheCauseOfAFailedWrite(@TempDir Path folder) throws Exception {
        KeyFiles keys = KeyFiles.make(folder, "peer");
        try (RejectingPeer peer = new RejectingPeer(keys)) {
            Gate gate = new Gate(peer);
            NettyFfConfiguration configuration = new NettyFfConfiguration();
            configuration.addDecoder(new SslHandler(clientEngine(keys)));
            configuration.addDecoder(gate);
            camel.getComponent("netty-ff", NettyFfComponent.class).setConfiguration(configuration);
            route(peer.port(), "&reconnect=false");
            template.sendBody("direct:in", "accepted before the certificate is verified");
            peer.awaitCertificate();

            gate.isShut = true;
            template.sendBody("direct:in", "written when the peer has closed");

            await().atMost(PATIENCE).until(() -> !failures.isEmpty());
            assertThat(failures)
                    .allSatisfy(exchange -> assertThat(exchange.getIn().getHeader(NettyFfConstants.CAUSE, String.class))
                            .contains("certificate_unknown"));
        }
    }

    private static SSLEngine clientEngine(KeyFiles keys) throws Exception {
        SSLEngine engine = keys.context(keys).createSSLEngine();
        engine.setUseClientMode(true);
        return engine;
    }

    /** Holds back what is written from when it is shut until the peer has rejected the certificate and closed. */
    private static final class Gate extends ChannelOutboundHandlerAdapter {
        private final RejectingPeer peer;
        private volatile boolean isShut;

        Gate(RejectingPeer peer) {
            this.peer = peer;
        }

        @Override
        public void flush(ChannelHandlerContext ctx) throws Exception {
            if (isShut) {
                isShut = false;
                peer.reject();
            }
            super.flush(ctx);
        }
    }

    /** Accepts one connection, and rejects its certificate on command. */
    private static final class RejectingPeer implements X509TrustManager, AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final CountDownLatch certificate = new CountDownLatch(1);
        private final CountDownLatch rejection = new CountDownLatch(1);
        private final CompletableFuture<SSLException> end;

        RejectingPeer(KeyFiles keys) throws Exception {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.keyManagers(), new TrustManager[] {this}, null);
            end = CompletableFuture.supplyAsync(() -> serve(context));
        }

        private SSLException serve(SSLContext context) {
            try (Socket tcp = server.accept();
                    SSLSocket tls =
                            (SSLSocket) context.getSocketFactory().createSocket(tcp, null, tcp.getPort(), false)) {
                tls.setUseClientMode(false);
                tls.setNeedClientAuth(true);
                tls.startHandshake();
                throw new IllegalStateException("the certificate was accepted");
            } catch (SSLException e) {
                return e;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        int port() {
            return server.getLocalPort();
        }

        void awaitCertificate() throws InterruptedException {
            assertThat(certificate.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .isTrue();
        }

        /** Returns when the connection is closed. */
        void reject() {
            rejection.countDown();
            assertThat(end).succeedsWithin(PATIENCE);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
            certificate.countDown();
            try {
                rejection.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new CertificateException("revoked");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String algorithm) throws CertificateException {
            throw new CertificateException("this peer has no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }

        @Override
        public void close() throws IOException {
            rejection.countDown();
            server.close();
        }
    }
}
