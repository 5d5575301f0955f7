package dev.silkroute.app.collector;

import dev.silkroute.app.ask.StationLocation;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute release-name}: lets a router keep its name although its address has changed. */
@Command(
        name = "release-name",
        description = {
            "Releases the name of a router, so that the next address that claims it owns it.",
            "Use it when a router has a new address. Close its old session first, and let the router connect again."
        })
public final class ReleaseNameCommand extends ConsoleCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the router, as in `silkroute routers`")
    private String name = "";

    @Option(
            names = "--kafka-bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Bootstrap servers of Kafka, used instead of --data-dir")
    private @Nullable String kafkaBootstrap;

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Mixin
    private StationLocation station = new StationLocation();

    private final Configuration configuration;

    public ReleaseNameCommand(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Integer call() {
        var config = configuration.station();
        String topic = StationTopic.IDENTITIES.name(config);
        if (!IdentityTopic.release(KafkaAccess.of(station.kafkaBootstrap(kafkaBootstrap), config), topic, name)) {
            throw new OperatorError("no router has the name " + name);
        }
        report.print("Released the router name " + name, json -> {
            json.writeStartObject();
            json.writeStringField("released", name);
            json.writeEndObject();
        });
        return ExitCode.OK;
    }
}
