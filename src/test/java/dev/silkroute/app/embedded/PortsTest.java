package dev.silkroute.app.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.OperatorError;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortsTest {
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void aReservedPortCanBeBoundByItsServer(String host) throws IOException {
        int port = Ports.reserve(host);
        assertThat(Ports.isFree(host, port)).isTrue();
        try (var server = new ServerSocket()) {
            server.bind(new InetSocketAddress(host, port));
            assertThat(Ports.isFree(host, port)).isFalse();
        }
    }

    @Test
    void aReservedPortIsNotReservedAgain() throws IOException {
        int port = Ports.reserve(Ports.LOOPBACK);
        try (var other = new ServerSocket()) {
            other.setReuseAddress(false);
            assertThatThrownBy(() -> other.bind(new InetSocketAddress(Ports.LOOPBACK, port)))
                    .isInstanceOf(BindException.class);
        }
    }

    @Test
    void aPortInUseIsReported() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThatThrownBy(() -> Ports.check(Ports.LOOPBACK, port))
                    .isInstanceOf(OperatorError.class)
                    .hasMessage("port " + port + " is in use");
        }
        Ports.check(Ports.LOOPBACK, 0);
    }

    @Test
    void anAddressOfAnotherMachineIsReported() {
        assertThatThrownBy(() -> Ports.check("192.0.2.1", 0))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith("cannot listen on 192.0.2.1:0: ");
        assertThatThrownBy(() -> Ports.reserve("192.0.2.1"))
                .isInstanceOf(OperatorError.class)
                .hasMessageStartingWith("cannot find a free port on 192.0.2.1: ");
    }
}
