package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.http.HttpToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Requests of commands to a server that requires a token. */
class StationApiIT {
    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    Path folder;

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private StationApi api = new StationApi();

    @Command
    private static final class AnyCommand {
        @Mixin
        private StationApi api = new StationApi();
    }

    StationApiIT() throws IOException {}

    @BeforeEach
    void start() throws IOException {
        server.createContext("/", exchange -> {
            boolean authorized =
                    ("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            boolean invalid = exchange.getRequestURI().getPath().equals("/invalid");
            int status = !authorized ? 401 : invalid ? 400 : 200;
            byte[] body = (authorized && !invalid
                            ? "{\"n\": 1}\n"
                            : "{\"detail\": \"" + (invalid ? "bad value" : "no token") + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        AnyCommand command = new AnyCommand();
        new CommandLine(command)
                .parseArgs("--url", "http://127.0.0.1:" + server.getAddress().getPort());
        api = command.api;
        Path file = folder.resolve("token");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, TOKEN);
        System.setProperty(HttpToken.FILE, file.toString());
    }

    @AfterEach
    void stop() {
        System.clearProperty(HttpToken.FILE);
        server.stop(0);
    }

    @Test
    void requestsAndStreamsSendTheToken() throws IOException {
        assertThat(api.get("/api/v1/status").path("n").asInt()).isEqualTo(1);
        try (BufferedReader lines = api.stream("/api/v1/stream")) {
            assertThat(lines.lines()).containsExactly("{\"n\": 1}");
        }
    }

    @Test
    void aRequestLeavesNoThreadForWhichTheExitWouldWait() {
        List<Thread> before = selectors();
        api.get("/api/v1/status");
        assertThatThrownBy(() -> api.get("/invalid")).isInstanceOf(UsageError.class);
        assertThat(selectors()).isSubsetOf(before);
    }

    private static List<Thread> selectors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("HttpClient-.*SelectorManager"))
                .toList();
    }

    @Test
    void theDetailOfAProblemIsReported() {
        System.clearProperty(HttpToken.FILE);
        assertThatThrownBy(() -> api.get("/a"))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("status 401")
                .hasMessageEndingWith("/a: no token");
        assertThatThrownBy(() -> api.stream("/b"))
                .isInstanceOf(OperatorError.class)
                .hasMessageEndingWith("/b: no token");
    }

    @Test
    void anArgumentThatTheStationRejectsIsAUsageError() {
        assertThatThrownBy(() -> api.get("/invalid"))
                .isInstanceOf(UsageError.class)
                .hasMessage("bad value");
    }
}
