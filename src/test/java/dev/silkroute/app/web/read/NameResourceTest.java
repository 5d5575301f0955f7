package dev.silkroute.app.web.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.silkroute.app.web.ProblemException;
import dev.silkroute.names.AsNames;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameResourceTest {
    private static NameResource resource(Optional<Path> names, String... parameter) {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        if (parameter.length > 0) {
            parameters.add("name", parameter[0]);
        }
        UriInfo uri = (UriInfo) Proxy.newProxyInstance(
                UriInfo.class.getClassLoader(), new Class<?>[] {UriInfo.class}, (_, _, _) -> parameters);
        return new NameResource(uri, names, () -> AsNames.NONE, name -> {
            if (!name.equals("www.example.net")) {
                throw new UnknownHostException(name);
            }
            return new InetAddress[] {
                InetAddress.getByName("192.0.2.80"),
                InetAddress.getByName("2001:db8::80"),
                InetAddress.getByName("192.0.2.80")
            };
        });
    }

    @Test
    void aNameHasItsAddressesOrNone() {
        assertThat(resource(Optional.empty(), "www.example.net").resolve().getEntity())
                .isEqualTo("{\"name\":\"www.example.net\",\"addresses\":[\"192.0.2.80\",\"2001:db8::80\"]}");
        assertThat(resource(Optional.empty(), "a.invalid").resolve().getEntity())
                .isEqualTo("{\"name\":\"a.invalid\",\"addresses\":[]}");
    }

    @Test
    void addressesAndNamesOfTheLocalNetworkAreNotResolved() {
        for (String name : List.of("192.0.2.1", "::1", "localhost", "a..net", "a b.net", "x".repeat(64) + ".net")) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(resource(Optional.empty(), name)::resolve)
                    .withMessageContaining("must be a DNS name");
        }
    }

    @Test
    void namesOfCommunitiesAreTheLinesOfAllFiles(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("as64500.txt"),
                "# source\n64500:1,customer, direct\nsoo 64500:nnn, site $0\nno comma\n");
        Files.writeString(folder.resolve("readme.md"), "64500:2,not a file of names\n");
        assertThat(resource(Optional.of(folder)).communityNames().getEntity())
                .isEqualTo("[{\"community\":\"64500:1\",\"name\":\"customer, direct\"},"
                        + "{\"community\":\"soo:64500:nnn\",\"name\":\"site $0\"}]");
        assertThat(resource(Optional.of(folder.resolve("missing")))
                        .communityNames()
                        .getEntity())
                .isEqualTo("[]");
        assertThat(resource(Optional.empty()).communityNames().getEntity()).isEqualTo("[]");
    }

    @Test
    void definitionsOfTheYangModuleHaveTheirFields(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("as10876.json"), """
                {"ietf-bgp-communities:bgp-communities": {
                  "regular": [
                    {"name": "PREPEND", "description": "Prepend", "global-admin": 64500, "local-admin": {"field": [
                      {"name": "Continent", "length": 3, "pattern": "210", "description": "Europe"},
                      {"name": "Times", "length": 1, "pattern": "[1-5]"}]}},
                    {"name": "NO-ADMINISTRATOR", "local-admin": {"field": [{"name": "a", "pattern": "1"}]}},
                    {"name": "NO-FIELD", "global-admin": 64500, "local-admin": {}},
                    {"name": "NO-PATTERN", "global-admin": 64500, "local-admin": {"field": [{"name": "a"}]}}],
                  "large": [
                    {"name": "NO-EXPORT", "global-admin": 64500,
                      "local-data-part-1": {"field": [{"name": "Function", "pattern": "4"}]},
                      "local-data-part-2": {"field": [{"name": "ASN", "pattern": ".*"}]}}],
                  "extended": [
                    {"name": "RFC4384", "type": 0, "subtype": 8, "asn": 10876, "local-admin": {"format": "binary",
                      "field": [{"name": "All", "length": 32, "pattern": "[01]+"}]}},
                    {"name": "FOUR", "type": 2, "subtype": 2, "asn4": 4200000011,
                      "local-admin": {"field": [{"name": "VPN", "pattern": "7"}]}},
                    {"name": "UNNAMED", "type": 0, "subtype": 200, "asn": 10876,
                      "local-admin": {"field": [{"name": "a", "pattern": "1"}]}}]}}
                """);
        Files.writeString(folder.resolve("broken.json"), "{");
        Files.writeString(folder.resolve("other.json"), "[{\"regular\":1}]");
        assertThat(resource(Optional.of(folder)).communityNames().getEntity())
                .isEqualTo("[{\"community\":\"64500\",\"name\":\"Prepend\",\"values\":[{\"fields\":["
                        + "{\"name\":\"Continent\",\"pattern\":\"210\",\"description\":\"Europe\",\"length\":3},"
                        + "{\"name\":\"Times\",\"pattern\":\"[1-5]\",\"description\":\"*\",\"length\":1}]}]},"
                        + "{\"community\":\"64500\",\"name\":\"NO-EXPORT\",\"values\":["
                        + "{\"fields\":[{\"name\":\"Function\",\"pattern\":\"4\",\"description\":\"*\"}]},"
                        + "{\"fields\":[{\"name\":\"ASN\",\"pattern\":\".*\",\"description\":\"*\"}]}]},"
                        + "{\"community\":\"bgp-data-collection:10876\",\"name\":\"RFC4384\",\"values\":[{\"bits\":32,\"fields\":"
                        + "[{\"name\":\"All\",\"pattern\":\"[01]+\",\"description\":\"*\",\"length\":32}]}]},"
                        + "{\"community\":\"rt:4200000011\",\"name\":\"FOUR\",\"values\":[{\"fields\":"
                        + "[{\"name\":\"VPN\",\"pattern\":\"7\",\"description\":\"*\"}]}]}]");
    }
}
