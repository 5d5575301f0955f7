package dev.silkroute.app.ask;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.station.TopicMaker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute topic}: makes a topic for a route of the user's own, because none is made by accident. */
@Command(
        name = "topic",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Makes a Kafka topic for a route of your own; one that exists is left as it is.")
public final class TopicCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "The topic.")
    private String name = "";

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "12",
            description = "Number of partitions (${DEFAULT-VALUE})")
    private int partitions;

    @Mixin
    private StationLocation station = new StationLocation();

    @Override
    public Integer call() {
        if (partitions < 1) {
            throw new OperatorError("--partitions must be 1 or more, not " + partitions);
        }
        KafkaAccess kafka = KafkaAccess.of(station.kafkaBootstrap(null), Settings.ofProcess());
        boolean made = TopicMaker.make(kafka, name, partitions);
        System.out.println(made ? "Made the topic " + name : "The topic " + name + " is there already");
        return 0;
    }
}
