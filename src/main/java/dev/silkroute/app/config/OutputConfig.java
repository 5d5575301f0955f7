package dev.silkroute.app.config;

import dev.silkroute.app.config.ConfigKeys.Positive;
import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Data that the station sends to other systems: the live stream, alerts, enriched flow records, traces, and the
 * topics of optional routes. Part of {@link StationConfig}.
 */
public interface OutputConfig {
    Live live();

    Alerts alerts();

    Flows flows();

    Tracing tracing();

    Routes routes();

    /** The live stream. */
    interface Live {
        @Description(
                "Maximum number of subscribers of the [live stream](stream.md); further ones are answered with 503")
        @WithDefault("1000")
        @Positive
        int maxSubscribers();

        @Description("Maximum number of filters of one subscriber")
        @WithDefault("1000")
        @Positive
        int maxFilters();

        @Description(
                "Size of the messages that wait for one subscriber; what does not fit is missed, and reported as such")
        @WithDefault("256K")
        @Positive
        MemorySize queueBytes();

        @Description("Size of the route batches kept for subscribers that resume")
        @WithDefault("16M")
        MemorySize recentBytes();

        @Description("A subscriber that has not read, or answered pings, for so long is disconnected")
        @WithDefault("5m")
        @Positive
        Duration stallTimeout();
    }

    /** Alerts on routes. */
    interface Alerts {
        @Description("How long closed alerts are kept; 0s keeps them for ever")
        @WithDefault("400d")
        Duration retention();

        @Description(
                "File with the monitored prefixes, as BGPalerter's `prefixes.yml`" + " ([alerts](../how-to/alerts.md))")
        Optional<Path> rules();

        @Description("Interval at which the rules are read again if their file has changed"
                + " ([alerts](../how-to/alerts.md#change-the-rules))")
        @WithDefault("1m")
        @Positive
        Duration reloadInterval();

        @Description("Number of vantage points (a router and one of its peers) that must see a condition to raise an"
                + " alert")
        @WithDefault("1")
        @Positive
        int minVantagePoints();

        @Description("Number of vantage points that must have lost a prefix to raise an alert")
        @WithDefault("2")
        @Positive
        int minVisibilityLoss();

        @Description("Minimum time between two notifications of the same alert")
        @WithDefault("2h")
        Duration notificationInterval();

        @Description("Maximum number of routes that are evaluated, and of undecodable messages that are remembered;"
                + " `silkroute_alerts_omitted_total` counts announcements and messages beyond it")
        @WithDefault("200000")
        @Positive
        int maxRoutes();

        @Description("Maximum number of tables whose routes are counted for `monitorTables`;"
                + " `silkroute_alerts_omitted_total` counts announcements of further ones")
        @WithDefault("1000")
        int maxTables();

        @Description(
                "Maximum number of routes in the tables of `monitorTables` together, each of which takes 11 to 22 bytes;"
                        + " `silkroute_alerts_omitted_total` counts announcements beyond it")
        @WithDefault("5000000")
        int maxCountedRoutes();

        Webhook webhook();

        /** The HTTP endpoint that receives alerts. */
        interface Webhook {
            @Description("HTTP endpoint that receives the changes of alerts ([alerts](../how-to/alerts.md#notify))")
            Optional<String> url();

            @Description("Format of the requests: `alertmanager` or `slack`")
            @WithDefault("alertmanager")
            String format();

            @Description("File with a bearer token for the endpoint, which other users must not be able to read; read"
                    + " for each request")
            Optional<Path> tokenFile();

            @Description("How long a request may take")
            @WithDefault("10s")
            @Positive
            Duration timeout();

            @Description("How often a request that failed is sent again; after that, the change counts as failed")
            @WithDefault("5")
            int retries();

            @Description("Time to the first retry; it doubles with each further one, up to one minute")
            @WithDefault("1s")
            @Positive
            Duration retryDelay();

            @Description("Changes that were reported longer ago are not sent")
            @WithDefault("6h")
            @Positive
            Duration maxAge();

            @Description("URL at which recipients reach this station, for links from alerts to their evidence")
            Optional<String> stationUrl();
        }
    }

    /** Flow records that are enriched with routes. */
    interface Flows {
        @Description("The RIB view whose routes are used, such as `loc-rib`")
        Optional<String> view();

        Http http();

        /** Flow records by HTTP. */
        interface Http {
            @Description("Maximum size of a request")
            @WithDefault("1M")
            @Positive
            MemorySize maxBytes();

            @Description("Maximum number of concurrent requests; a request that timed out counts until Kafka has"
                    + " responded")
            @WithDefault("8")
            @Positive
            int maxRequests();

            @Description("How long a request waits for Kafka")
            @WithDefault("10s")
            @Positive
            Duration timeout();
        }
    }

    interface Tracing {
        @Description("URL of an OTLP receiver over HTTP, such as http://127.0.0.1:4318; without it, nothing is traced"
                + " ([traces](../how-to/monitor.md#traces))")
        Optional<String> otlpEndpoint();

        @Description("Share of the batches of routers that are traced, above 0 and at most 1")
        @WithDefault("0.001")
        double ratio();

        @Description("How long a request to the receiver may take")
        @WithDefault("10s")
        @Positive
        Duration timeout();
    }

    /** Packaged routes that are off by default. */
    interface Routes {
        Json json();

        Withdrawals withdrawals();

        OpenBmp openbmp();

        Alerts alerts();

        Flows flows();

        /** Routes as JSON. */
        interface Json {
            @Description("Whether `bmp.routes.json` receives the events as JSON ([JSON](json.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Withdrawals by the station as JSON. */
        interface Withdrawals {
            @Description("Whether `bmp.withdrawals.json` receives the withdrawals that the station has made"
                    + " ([JSON](json.md#bmpwithdrawalsjson))")
            @WithDefault("false")
            boolean enabled();
        }

        /** The format of OpenBMP. */
        interface OpenBmp {
            @Description("Whether `openbmp.bmp_raw` receives the messages with OpenBMP's header"
                    + " ([OpenBMP](openbmp.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Alerts. */
        interface Alerts {
            @Description("Whether routes are compared with `silkroute.alerts.rules` ([alerts](../how-to/alerts.md))")
            @WithDefault("false")
            boolean enabled();
        }

        /** Flow records. */
        interface Flows {
            @Description("Whether flow records are enriched with routes ([flows](rib.md#flows))")
            @WithDefault("false")
            boolean enabled();
        }
    }
}
