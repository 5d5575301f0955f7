package dev.silkroute.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests over a socket, because Java's HTTP client does not let its users choose the header Host. */
class HttpAccessTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    private static Vertx vertx;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Returns the response to a request with these headers. */
    private static String ask(HttpAccess access, String path, String... headers) throws IOException {
        Router router = Router.router(vertx);
        router.route().handler(new HttpAccessFilter(access, null)::handle);
        router.route().handler(context -> context.end("data"));
        HttpServer server = vertx.createHttpServer()
                .requestHandler(router)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .join();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.actualPort())) {
            String request =
                    "GET " + path + " HTTP/1.1\r\nConnection: close\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            server.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static HttpAccess access(@Nullable String token, String... hosts) {
        return new HttpAccess(List.of(hosts), List.of("https://portal.example.net"), token);
    }

    @Test
    void aNameThatIsNotOfTheStationIsRejected() throws IOException {
        for (String host : List.of("rebound.example:80", "localhost.example", "127.0.0.1.example", "example.net")) {
            assertThat(ask(access(null, "station.example.net"), "/api/v1/status", "Host: " + host))
                    .as(host)
                    .startsWith("HTTP/1.1 403")
                    .contains("application/problem+json", "silkroute.http.allowed-hosts")
                    .doesNotContain("data");
        }
    }

    @Test
    void addressesAndConfiguredNamesAreAccepted() throws IOException {
        for (String host :
                List.of("127.0.0.1:80", "localhost", "[::1]:80", "192.0.2.1", "Station.example.net", "a.b.example")) {
            assertThat(ask(access(null, "station.example.net", "*.b.example"), "/api/v1/status", "Host: " + host))
                    .as(host)
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(ask(access(null, "*"), "/", "Host: any.example")).startsWith("HTTP/1.1 200");
    }

    @Test
    void pagesOfOtherOriginsAreRejected() throws IOException {
        for (String origin : List.of("https://evil.example", "null", "http://localhost:1")) {
            assertThat(ask(access(null), "/api/v1/status", "Host: localhost", "Origin: " + origin))
                    .as(origin)
                    .startsWith("HTTP/1.1 403");
        }
        for (String origin : List.of("http://localhost", "https://portal.example.net")) {
            assertThat(ask(access(null), "/api/v1/status", "Host: localhost", "Origin: " + origin))
                    .as(origin)
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void theTokenIsRequiredExceptForProbes() throws IOException {
        for (String header : List.of(
                "X: y",
                "Authorization: Bearer",
                "Authorization: Bearer " + TOKEN + "0",
                "Authorization: Basic " + TOKEN)) {
            assertThat(ask(access(TOKEN), "/api/v1/status", "Host: localhost", header))
                    .as(header)
                    .startsWith("HTTP/1.1 401")
                    .contains("www-authenticate: Bearer")
                    .doesNotContain("data");
        }
        for (String path : List.of(
                "/q/healthy",
                "/q/health/../../api/v1/status",
                "/q/health/%2e%2e/%2e%2e/api/v1/status",
                "/assets/0/../../api/v1/a.js",
                "//api/v1/status",
                "/q/openapi",
                "/q/metrics")) {
            assertThat(ask(access(TOKEN), path, "Host: localhost")).as(path).startsWith("HTTP/1.1 401");
        }
        for (String path : List.of("/", "/assets/0123abcd/app.js", "/q/health/live", "/q/health?x")) {
            assertThat(ask(access(TOKEN), path, "Host: localhost")).as(path).startsWith("HTTP/1.1 200");
        }
        assertThat(ask(access(TOKEN), "/api/v1/status", "Host: localhost", "Authorization: bearer " + TOKEN))
                .startsWith("HTTP/1.1 200");
    }

    @Test
    void offLoopbackATokenIsRequiredUnlessDisabled() throws IOException {
        Path generated = folder.resolve("generated");
        Path own = Files.writeString(folder.resolve("own"), TOKEN + "\n");
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));
        assertThat(file("0.0.0.0", Map.of())).isEqualTo(generated);
        assertThat(file("192.0.2.1", Map.of("silkroute.http.token-file", own.toString())))
                .isEqualTo(own);
        assertThat(file("0.0.0.0", Map.of("silkroute.http.authentication", "none")))
                .isNull();
        assertThat(file("127.0.0.1", Map.of())).isNull();
        assertThat(file("127.0.0.1", Map.of("silkroute.http.authentication", "token")))
                .isEqualTo(generated);
        assertThat(file("::1", Map.of("silkroute.http.token-file", own.toString())))
                .isEqualTo(own);
        assertThatThrownBy(() -> file("::1", Map.of("silkroute.http.authentication", "no")))
                .isInstanceOf(UsageError.class);
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> file("::1", Map.of("silkroute.http.token-file", own.toString())))
                .isInstanceOf(OperatorError.class)
                .hasMessageContaining("every user of this machine can read");
    }

    @Test
    void aProviderOfTokensMakesThemRequiredAndIsConfiguredCompletely() {
        Map<String, String> provider = Map.of(
                "silkroute.http.oidc.issuer", "https://idp.example.net/realms/a", "silkroute.http.oidc.audience", "s");
        assertThat(file("127.0.0.1", provider)).isEqualTo(folder.resolve("generated"));
        assertThat(oidc(Map.of())).isEmpty();
        assertThat(oidc(provider, "silkroute.http.oidc.required-claims", "groups=noc, a.b=c,groups=net"))
                .containsEntry("quarkus.oidc.tenant-enabled", "true")
                .containsEntry("quarkus.oidc.auth-server-url", "https://idp.example.net/realms/a")
                .containsEntry("quarkus.oidc.token.audience", "s")
                .containsEntry("quarkus.oidc.token.required-claims.\"groups\"", "noc,net")
                .containsEntry("quarkus.oidc.token.required-claims.\"a.b\"", "c");
        assertThat(oidc(provider, "silkroute.http.oidc.issuer", "http://[::1]:8180"))
                .containsEntry("quarkus.oidc.auth-server-url", "http://[::1]:8180");
        for (String url :
                List.of("http://idp.example.net", "idp.example.net", "https:///realm", "ftp://127.0.0.1", "a b")) {
            assertThatThrownBy(() -> oidc(provider, "silkroute.http.oidc.issuer", url))
                    .as(url)
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("silkroute.http.oidc.issuer");
        }
        for (String claims : List.of("groups", "=noc", "groups=", "\"a=b")) {
            assertThatThrownBy(() -> oidc(provider, "silkroute.http.oidc.required-claims", claims))
                    .as(claims)
                    .isInstanceOf(UsageError.class)
                    .hasMessageContaining("is not CLAIM=VALUE");
        }
        assertThatThrownBy(() -> oidc(Map.of("silkroute.http.oidc.issuer", "https://idp.example.net")))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("requires silkroute.http.oidc.audience");
        assertThatThrownBy(() -> oidc(Map.of("silkroute.http.oidc.audience", "s")))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("require silkroute.http.oidc.issuer");
        assertThatThrownBy(() -> oidc(provider, "silkroute.http.authentication", "none"))
                .isInstanceOf(UsageError.class)
                .hasMessageContaining("silkroute.http.authentication is none");
    }

    private static Map<String, String> oidc(Map<String, String> settings, String... more) {
        Map<String, String> all = new HashMap<>(settings);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return OidcSettings.properties(
                Configuration.of(all, Map.of(), Map.of()).station().http());
    }

    private @Nullable Path file(String host, Map<String, String> settings) {
        return HttpToken.file(
                host,
                Configuration.of(settings, Map.of(), Map.of()).station().http(),
                () -> folder.resolve("generated"));
    }
}
