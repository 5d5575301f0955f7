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
}
