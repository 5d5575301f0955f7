package dev.silkroute.app.redecode;

import dev.silkroute.app.ask.DatabaseOption;
import dev.silkroute.app.ask.StationLocation;
import dev.silkroute.app.config.Configuration;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.StationConfig;
import dev.silkroute.app.config.StationTopic;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.app.console.ReportOptions;
import dev.silkroute.app.console.TimeText;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.TableDumpLimits;
import dev.silkroute.session.identity.RouterValues;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute redecode}: decodes what {@code bmp.raw} keeps with the decoder of this version. */
@Command(
        name = "redecode",
        description = {
            "Decodes quarantined messages again, each in the context of its session at that time, and adds those that"
                    + " succeed to the history.",
            "With --raw, decodes a time range of bmp.raw instead."
        },
        footer = {
            "",
            "Decoding uses the settings that a collector would have in this environment (SILKROUTE_DECODE_ADD_PATH).",
            "Times: 2026-11-21T09:30:00Z, 2026-11-21T10:30:00+01:00, or 2026-11-21 (midnight UTC)."
        })
public final class RedecodeCommand extends ConsoleCommand {
    private static final String DEFAULT_TOPIC = "bmp.routes.redecoded";

    @Option(names = "--router", paramLabel = "ROUTER", description = "Only this router's messages")
    @Nullable
    String router;

    @Option(names = "--from", paramLabel = "TIME", description = "Only messages received at this time or later")
    @Nullable
    String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only messages received before this time")
    @Nullable
    String to;

    @Option(names = "--dry-run", description = "Print what would be done, but do not send or mark anything")
    boolean dryRun;

    @Option(
            names = "--without-context",
            description = "Include sessions whose beginning has expired from bmp.raw, with incomplete context")
    boolean withoutContext;

    @Option(names = "--raw", description = "All messages of a time range, not only quarantined ones; requires --from")
    boolean raw;

    @Option(
            names = "--to-topic",
            paramLabel = "NAME",
            description = "With --raw: topic for the route batches (" + DEFAULT_TOPIC + "); created if necessary")
    @Nullable
    String topic;

    @Option(
            names = "--in-place",
            description = "With --raw: send to the lanes and replace what the history contains of these messages")
    boolean inPlace;

    @Mixin
    ReportOptions report = new ReportOptions();

    @Mixin
    StationLocation station = new StationLocation();

    @Option(
            names = "--kafka-bootstrap",
            paramLabel = "HOST:PORT,…",
            description = "Bootstrap servers of Kafka, used instead of --data-dir")
    @Nullable
    String kafkaBootstrap;

    @Mixin
    DatabaseOption database = new DatabaseOption();

    private final Configuration configuration;

    public RedecodeCommand(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public Integer call() {
        RedecodeOptions options = options();
        try (Interruption interruption = new Interruption();
                RedecodeProgressBar bar = new RedecodeProgressBar(interruption)) {
            RedecodeTally tally = Redecode.run(options, bar);
            bar.close();
            tally.notes().forEach(note -> System.err.println("silkroute redecode: " + note));
            report(tally, interruption.isRequested());
            return interruption.exitWith(
                    interruption.isRequested() ? ExitCode.INTERRUPTED : tally.skipped() > 0 ? ExitCode.FAILURE : 0);
        }
    }

    private RedecodeOptions options() {
        if (!raw && (topic != null || inPlace)) {
            throw new UsageError("--to-topic and --in-place require --raw");
        }
        if (topic != null && inPlace) {
            throw new UsageError("--to-topic and --in-place exclude each other");
        }
        if (raw && from == null) {
            throw new UsageError("--raw requires --from TIME");
        }
        Instant start = time("--from", from);
        Instant end = time("--to", to);
        if (start != null && end != null && !start.isBefore(end)) {
            throw new UsageError("--from " + from + " is not before --to " + to);
        }
        StationConfig config = configuration.station();
        return new RedecodeOptions(
                KafkaAccess.of(station.kafkaBootstrap(kafkaBootstrap), config),
                station.jdbcUrl(database.jdbcUrl()),
                raw,
                router,
                start,
                end,
                !raw || inPlace ? null : topic == null ? DEFAULT_TOPIC : topic,
                dryRun,
                withoutContext,
                StationTopic.names(config),
                StationTopic.partitionsByName(config),
                decoding(config));
    }

    /** Returns the collector's settings for decoding. */
    private static SessionConfig decoding(StationConfig config) {
        return new SessionConfig(
                "",
                config.session().maxPeers(),
                config.decode().addPath(),
                parse("add-path-routers", config.decode().addPathRouters(), RouterValues::parse),
                parse("neighbor-roles", config.decode().neighborRoles(), NeighborRole::ofAsns),
                TableDumpLimits.NONE);
    }

    private static <T> T parse(String key, Optional<String> text, Function<String, T> parser) {
        try {
            return parser.apply(text.orElse(""));
        } catch (IllegalArgumentException e) {
            throw new UsageError("silkroute.decode." + key + ": " + e.getMessage(), e);
        }
    }

    static @Nullable Instant time(String option, @Nullable String text) {
        return text == null ? null : TimeText.parse(option, text);
    }

    private void report(RedecodeTally tally, boolean interrupted) {
        report.print(summary(tally, interrupted), json -> {
            json.writeStartObject();
            json.writeBooleanField("interrupted", interrupted);
            json.writeBooleanField("dry_run", dryRun);
            json.writeNumberField("messages", tally.messages());
            json.writeNumberField("sessions", tally.sessions());
            json.writeNumberField("decoded", tally.decoded());
            json.writeNumberField("events", tally.events());
            json.writeNumberField("undecodable", tally.undecodable());
            json.writeNumberField("skipped", tally.skipped());
            json.writeNumberField("records", tally.records());
            json.writeEndObject();
        });
    }

    private String summary(RedecodeTally tally, boolean interrupted) {
        return String.format(
                Locale.ROOT,
                "%s%,d %smessage%s of %,d session%s: %,d decoded (%,d events), %,d undecodable, %,d skipped; %s",
                interrupted ? "Interrupted: " : dryRun ? "Would redecode: " : "Redecoded: ",
                tally.messages(),
                raw ? "" : "quarantined ",
                tally.messages() == 1 ? "" : "s",
                tally.sessions(),
                tally.sessions() == 1 ? "" : "s",
                tally.decoded(),
                tally.events(),
                tally.undecodable(),
                tally.skipped(),
                dryRun ? "nothing was sent" : String.format(Locale.ROOT, "%,d records sent", tally.records()));
    }
}
