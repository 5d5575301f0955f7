package dev.silkroute.app.ask;

import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.app.station.TopicCreator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code silkroute topic}: creates a topic for a user's own route. The station's Kafka does not create topics
 * automatically, so that a misspelled name is an error.
 */
@Command(
        name = "topic",
        description = "Creates a Kafka topic for a route of your own. An existing topic is left unchanged.")
public final class TopicCommand extends ConsoleCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the topic")
    private String name = "";

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "12",
            description = "Number of partitions (${DEFAULT-VALUE})")
    private int partitions;

    @Mixin
    private ReportOptions report = new ReportOptions();

    @Mixin
    private StationLocation station = new StationLocation();

    private final Configuration configuration;

    public TopicCommand(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Integer call() {
        if (partitions < 1) {
            throw new UsageError("--partitions must be at least 1, not " + partitions);
        }
        KafkaAccess kafka = KafkaAccess.of(station.kafkaBootstrap(null), configuration.station());
        boolean created = TopicCreator.create(kafka, name, partitions);
        report.print(created ? "Created topic " + name : "Topic " + name + " already exists", json -> {
            json.writeStartObject();
            json.writeStringField("topic", name);
            json.writeBooleanField("created", created);
            json.writeEndObject();
        });
        return ExitCode.OK;
    }
}
