package dev.silkroute.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class OperatorErrorTest {
    @Test
    void reasonsAreOnOneLine() {
        assertThat(OperatorError.reason(new NoSuchFileException("/a"))).isEqualTo("no such file or directory");
        assertThat(OperatorError.reason(new ExecutionException(new AccessDeniedException("/a"))))
                .isEqualTo("permission denied");
        assertThat(OperatorError.reason(new IOException("disk\n full"))).isEqualTo("disk full");
        assertThat(OperatorError.reason(new IOException())).isEqualTo("IOException");
        assertThat(OperatorError.reason(new ConnectException())).isEqualTo("connection refused");
        assertThat(OperatorError.reason(new ConnectException("no route"))).isEqualTo("no route");
        assertThat(OperatorError.reason(new ConnectException().initCause(new UnresolvedAddressException())))
                .isEqualTo("unknown host");
    }
}
