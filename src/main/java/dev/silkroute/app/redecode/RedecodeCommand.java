package dev.silkroute.app.redecode;

import dev.silkroute.app.ask.StationLocation;
import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.Settings;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.Interruption;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code silkroute redecode}: what is kept on {@code bmp.raw} through the decoder of now. */
@Command(
        name = "redecode",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Decodes quarantined messages again, each with what its session knew at that moment; those that can be",
            "decoded now take their place in the history. With --raw: a span of time of bmp.raw instead."
        },
        footer = {
            "",
            "It decodes by the settings that a collector started with this environment would have (SILKROUTE_DECODE_ADD_PATH).",
            "Times: 2026-11-21T09:30:00Z, 2026-11-21T10:30:00+01:00, or 2026-11-21 (midnight UTC)."
        })
public final class RedecodeCommand implements Callable<Integer> {
    private static final String OTHER_TOPIC = "bmp.routes.redecoded";
    private static final int MAX_PEERS = 20_000;

    @Option(names = "--router", paramLabel = "ROUTER", description = "Only this router's messages")
    @Nullable
    String router;

    @Option(names = "--from", paramLabel = "TIME", description = "Only what was received at this time or later")
    @Nullable
    String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Only what was received before this time")
    @Nullable
    String to;

    @Option(names = "--dry-run", description = "Only say what would come of it")
    boolean dryRun;

    @Option(
            names = "--without-context",
            description = "Also messages of sessions whose beginning is gone from bmp.raw: decoded with what is known")
    boolean withoutContext;

    @Option(names = "--raw", description = "All messages of a span of time, not only quarantined ones; needs --from")
    boolean raw;

    @Option(
            names = "--to-topic",
            paramLabel = "NAME",
            description = "With --raw: where the route batches go (" + OTHER_TOPIC + "); made unless it is there")
    @Nullable
    String topic;

    @Option(
            names = "--in-place",
            description = "With --raw: into the lanes themselves; what history has of these messages is replaced")
    boolean inPlace;

    @Mixin
    StationLocation station = new StationLocation();

    @Option(names = "--kafka-bootstrap", paramLabel = "HOST:PORT,…", description = "Kafka, instead of --data-dir")
    @Nullable
    String kafkaBootstrap;

    @Option(names = "--jdbc-url", paramLabel = "URL", description = "The database, instead of --data-dir")
    @Nullable
    String jdbcUrl;

    @Override
    public Integer call() {
        RedecodeOptions options = options();
        try (Interruption interruption = new Interruption();
                RedecodeBar bar = new RedecodeBar(interruption)) {
            RedecodeTally tally = Redecode.run(options, bar);
            bar.close();
            tally.notes().forEach(note -> System.err.println("silkroute redecode: " + note));
            System.out.println(summary(tally, interruption.isRequested()));
            return interruption.exitWith(
                    interruption.isRequested() ? ExitCode.INTERRUPTED : tally.left() > 0 ? ExitCode.USAGE_ERROR : 0);
        }
    }

    private RedecodeOptions options() {
        if (!raw && (topic != null || inPlace)) {
            throw new OperatorError("--to-topic and --in-place go with --raw");
        }
        if (topic != null && inPlace) {
            throw new OperatorError("--to-topic and --in-place exclude each other");
        }
        if (raw && from == null) {
            throw new OperatorError("--raw needs --from TIME");
        }
        Instant start = time("--from", from);
        Instant end = time("--to", to);
        if (start != null && end != null && !start.isBefore(end)) {
            throw new OperatorError("--from " + from + " is not before --to " + to);
        }
        Settings settings = Settings.ofProcess();
        return new RedecodeOptions(
                KafkaAccess.of(station.kafkaBootstrap(kafkaBootstrap), settings),
                station.jdbcUrl(jdbcUrl),
                raw,
                router,
                start,
                end,
                !raw || inPlace ? null : topic == null ? OTHER_TOPIC : topic,
                dryRun,
                withoutContext,
                decoding(settings));
    }

    /** The settings by which the collector decodes. */
    private static SessionConfig decoding(Settings settings) {
        String addPath = settings.find("silkroute.decode.add-path");
        String routers = settings.find("silkroute.decode.add-path-routers");
        try {
            return new SessionConfig(
                    "",
                    settings.integer("silkroute.session.max-peers", MAX_PEERS),
                    addPath == null ? AddPathPolicy.HEURISTIC : AddPathPolicy.of(addPath),
                    routers == null ? RouterValues.NONE : RouterValues.parse(routers));
        } catch (IllegalArgumentException e) {
            throw new OperatorError("silkroute.decode: " + e.getMessage(), e);
        }
    }

    static @Nullable Instant time(String option, @Nullable String text) {
        if (text == null) {
            return null;
        }
        try {
            return text.indexOf('T') < 0
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new OperatorError(option + " " + text + " is no time such as 2026-11-21T09:30:00Z or 2026-11-21", e);
        }
    }

    private String summary(RedecodeTally tally, boolean interrupted) {
        return String.format(
                Locale.ROOT,
                "%s%,d %smessage%s of %,d session%s: %,d decoded (%,d events), %,d can't be decoded, %,d left for want of context; %s",
                interrupted ? "Interrupted: " : dryRun ? "Would redecode: " : "Redecoded: ",
                tally.decoded() + tally.undecodable() + tally.left(),
                raw ? "" : "quarantined ",
                tally.decoded() + tally.undecodable() + tally.left() == 1 ? "" : "s",
                tally.sessions(),
                tally.sessions() == 1 ? "" : "s",
                tally.decoded(),
                tally.events(),
                tally.undecodable(),
                tally.left(),
                dryRun ? "nothing was sent" : String.format(Locale.ROOT, "%,d records sent", tally.records()));
    }
}
