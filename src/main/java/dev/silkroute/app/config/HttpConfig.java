package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** The HTTP ports: the REST API, the looking glass, and management. Part of {@link StationConfig}. */
public interface HttpConfig {
    @Description("Port of the API, 0 for any free port")
    @WithDefault("8080")
    int httpPort();

    @Description("Address to serve the API on")
    @WithDefault("127.0.0.1")
    String httpHost();

    @Description(
            value = "Port of health, metrics and the console, 0 for any free port",
            defaultText = "9000, or any free port if that is in use")
    OptionalInt managementPort();

    @Description("Address to serve health, metrics and the console on")
    @WithDefault("127.0.0.1")
    String managementHost();

    Http http();

    Birdwatcher birdwatcher();

    Management management();

    /** The HTTP port and the queries of the REST API. */
    interface Http {
        Tls tls();

        @Description(
                value = "Whether requests need a bearer token: `token` or `none`",
                defaultText = "`token` off loopback, with a token file or an OpenID Connect provider, else `none`")
        Optional<String> authentication();

        @Description(
                value = "File with the token, at least 16 characters, which other users must not be able to read",
                defaultText = "`client/http-token` in the data directory, created if missing")
        Optional<Path> tokenFile();

        Oidc oidc();

        /** An OpenID Connect provider. */
        interface Oidc {
            @Description("URL of an OpenID Connect provider whose access tokens are accepted as well as the station's"
                    + " token ([OpenID Connect](#openid-connect))")
            Optional<String> issuer();

            @Description("Audience that access tokens must be for, or several; required with an issuer")
            Optional<String> audience();

            @Description(
                    "Claims that access tokens must have, or contain if they are arrays: `groups=noc,department=net`")
            Optional<String> requiredClaims();
        }

        @Description("Names by which clients reach the station, besides IP addresses and `localhost`:"
                + " `silkroute.example.net,*.example.org`, or `*` for any")
        Optional<String> allowedHosts();

        @Description("Other origins whose pages may send requests, such as `https://portal.example.net`")
        Optional<String> allowedOrigins();

        @Description(
                "Maximum number of concurrent queries of the [REST API](rest.md); further ones are answered with 503")
        @WithDefault("8")
        @Positive
        int maxQueries();

        @Description("How long a query of the REST API may take")
        @WithDefault("10s")
        @Positive
        Duration queryTimeout();

        @Description("A client that does not read 64 KiB of a large answer for so long is disconnected")
        @WithDefault("60s")
        @Positive
        Duration stallTimeout();

        @Description("Directory with names of communities, as the"
                + " [looking glass](../how-to/looking-glass.md#names-of-communities) shows them")
        Optional<Path> communityNames();

        /** TLS on the HTTP port. */
        interface Tls {
            @Description("PEM file with the certificate chain of the HTTP port. With it and its key, the port uses TLS"
                    + " ([HTTPS](../how-to/tls-and-access.md#https)); commands trust this certificate")
            Optional<Path> certificate();

            @Description("PEM file with the private key of the certificate")
            Optional<Path> key();

            @Description("Interval at which both files are read again and loaded if they have changed")
            @WithDefault("1m")
            @Positive
            Duration reloadInterval();
        }
    }

    /** The API of birdwatcher. */
    interface Birdwatcher {
        @Description("Whether the station answers at `/birdwatcher/{router}` as birdwatcher does, for"
                + " [Alice-LG](../how-to/alice-lg.md)")
        @WithDefault("false")
        boolean enabled();
    }

    /** The console. */
    interface Management {
        @Description("File with the users of the [console](../how-to/hawtio.md)")
        Optional<Path> usersFile();
    }
}
