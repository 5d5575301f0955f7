package dev.silkroute.app.ask;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.app.config.OperatorError;
import dev.silkroute.app.config.UsageError;
import dev.silkroute.app.console.Candidates;
import dev.silkroute.app.console.ConsoleCommand;
import dev.silkroute.app.console.ExitCode;
import dev.silkroute.app.console.OutputOptions;
import dev.silkroute.app.console.StandardOutput;
import dev.silkroute.net.IpPrefix;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code silkroute watch}: shows the events of a running station's live stream until it is interrupted. */
@Command(
        name = "watch",
        description = {
            "Shows route and peer events as they arrive, until it is interrupted.",
            "With a prefix, these are the events of the prefix and of more specific ones."
        })
public final class WatchCommand extends ConsoleCommand {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Parameters(paramLabel = "PREFIX", arity = "0..1", description = "Prefix, such as 192.0.2.0/24 or 2001:db8::/32")
    private @Nullable String prefix;

    @Option(names = "--exact", description = "The prefix only, not more specific ones")
    private boolean exact;

    @Option(names = "--router", paramLabel = "NAME", description = "Events of one router")
    private @Nullable String router;

    @Option(names = "--peer", paramLabel = "ADDRESS", description = "Events of one peer")
    private @Nullable String peer;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            completionCandidates = Candidates.Views.class,
            description = "Events of one RIB view, such as adj-rib-in-pre")
    private @Nullable String view;

    @Option(names = "--family", paramLabel = "FAMILY", description = "Events of one family, such as ipv6-unicast")
    private @Nullable String family;

    @Option(
            names = "--path",
            paramLabel = "PATTERN",
            description = "AS numbers that follow one another in the path: \"64500,64501\", \"^64500\" at its start,"
                    + " \"64501$$\" at its end")
    private @Nullable String path;

    @Option(names = "--count", paramLabel = "N", defaultValue = "0", description = "Stop after this many lines")
    private long count;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private StationApi station = new StationApi();

    @Override
    public Integer call() {
        IpPrefix wanted = prefix();
        String request = "/api/v1/stream?" + query(wanted);
        boolean colored = System.console() != null && System.getenv("NO_COLOR") == null;
        // A message contains all routes with the same attributes, of which one at least is selected
        WatchText text = new WatchText(output.format(), colored, route -> wanted == null || selects(wanted, route));
        try (BufferedReader events = station.stream(request);
                Writer out = StandardOutput.open()) {
            out.write(text.header());
            out.flush();
            show(events, text, out);
        } catch (IOException e) {
            StandardOutput.reportUnlessClosed(e, "");
        }
        return ExitCode.OK;
    }

    private @Nullable IpPrefix prefix() {
        try {
            return prefix == null ? null : IpPrefix.parse(prefix.strip());
        } catch (IllegalArgumentException e) {
            throw new UsageError(String.valueOf(e.getMessage()), e);
        }
    }

    private boolean selects(IpPrefix wanted, IpPrefix route) {
        return exact ? route.equals(wanted) : wanted.covers(route);
    }

    private String query(@Nullable IpPrefix wanted) {
        Map<String, String> conditions = new LinkedHashMap<>();
        if (wanted != null) {
            conditions.put("prefix", wanted.toString());
            conditions.put("moreSpecific", Boolean.toString(!exact));
        }
        put(conditions, "router", router);
        put(conditions, "peer", peer);
        put(conditions, "view", view);
        put(conditions, "family", family);
        put(conditions, "path", path);
        return conditions.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static void put(Map<String, String> conditions, String key, @Nullable String value) {
        if (value != null) {
            conditions.put(key, value);
        }
    }

    private void show(BufferedReader events, WatchText text, Writer out) throws IOException {
        long shown = 0;
        String event = "";
        for (String line = next(events); line != null; line = next(events)) {
            if (line.startsWith("event: ")) {
                event = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                JsonNode data = parse(line.substring("data: ".length()));
                for (String each : text.lines(event, data)) {
                    out.write(each);
                    shown++;
                    if (shown == count) {
                        return;
                    }
                }
                out.flush();
            }
        }
        throw new OperatorError("the station has closed the stream");
    }

    private static @Nullable String next(BufferedReader events) {
        try {
            return events.readLine();
        } catch (IOException e) {
            throw new OperatorError("the stream is lost: " + OperatorError.reason(e), e);
        }
    }

    private static JsonNode parse(String data) {
        try {
            return JSON.readTree(data);
        } catch (JsonProcessingException e) {
            throw new OperatorError("the stream contains something that is not JSON", e);
        }
    }
}
