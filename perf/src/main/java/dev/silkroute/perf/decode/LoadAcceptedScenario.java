package dev.silkroute.perf.decode;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.load.DecodedLoad;
import dev.silkroute.load.LoadProfile;
import dev.silkroute.load.TestLoad;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import dev.silkroute.perf.report.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Checks that other decoders accept what {@code silkroute load} generates: each family in all views, with and without
 * path identifiers, of neighbours only and of a route reflector too. Nothing is measured.
 *
 * <p>GoBGP must find the same messages, routes, attributes and digest as we do. NetGauze must decode every message
 * of neighbours; it does not support the confederations in a reflector's paths. Statistics Reports have a stream of
 * their own, which is reported only, because GoBGP rejects those with statistics per family that it does not support.
 */
@Command(
        name = "load-accepted",
        description = "Whether GoBGP's and NetGauze's decoders read what silkroute load makes, as ours does.")
public final class LoadAcceptedScenario extends Scenario {
    private static final int DIFFERENT = 1;
    private static final int BATCH = 1 << 20;
    private static final String NEIGHBOUR = ", a neighbour";
    private static final String STATISTICS = "statistics";

    @Option(
            names = "--prefixes",
            defaultValue = "1000",
            description = "Of each peer, view and family: ${DEFAULT-VALUE}.")
    private int prefixes;

    @Option(names = "--seed", defaultValue = "1", description = "Of the load: ${DEFAULT-VALUE}.")
    private long seed;

    private final List<Stream> streams = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        Path folder = folder();
        for (int paths : new int[] {0, 2}) {
            for (int family : LoadProfile.FAMILIES) {
                String name = Family.text(family) + (paths == 0 ? "" : ", path identifiers");
                stream(folder, name + NEIGHBOUR, reports(session(List.of(family), 1, paths), false));
                stream(folder, name, reports(session(List.of(family), 4, paths), false));
            }
        }
        stream(folder, STATISTICS, reports(session(LoadProfile.FAMILIES, 4, 0), true));
        Opponents opponents = new Opponents(HOME);
        List<Contender> contenders = new ArrayList<>();
        boolean accepted;
        try {
            contenders.add(Contender.start("ours", "decode", DecodeScenario.own(Depth.FIELDS, BATCH), streams));
            contenders.addAll(opponents.start(streams, Depth.ROUTES));
            // A decoder that was not called has accepted nothing
            opponents.missing().forEach((name, why) -> System.out.println(name + " was not asked: " + why));
            accepted = opponents.missing().isEmpty();
            for (Stream stream : streams) {
                accepted &= accepted(stream, contenders);
            }
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
        }
        System.out.println(accepted ? "accepted" : "NOT ACCEPTED");
        return accepted ? 0 : DIFFERENT;
    }

    private static boolean accepted(Stream stream, List<Contender> contenders) throws IOException {
        Counts ours = contenders.getFirst().counts(stream);
        System.out.println(stream.name() + ": " + ours.text());
        boolean accepted = ours.errors() == 0;
        for (Contender other : contenders.subList(1, contenders.size())) {
            Counts theirs = other.counts(stream);
            boolean same = theirs.equals(ours);
            System.out.println("  " + other.name() + ": " + (same ? "the same" : theirs.text()));
            if (stream.name().equals(STATISTICS)) {
                continue;
            }
            accepted &= other.name().equals(Opponents.GOBGP)
                    ? same
                    : theirs.messages() == ours.messages()
                            && (theirs.errors() == 0 || !stream.name().endsWith(NEIGHBOUR));
        }
        return accepted;
    }

    private void stream(Path folder, String name, byte[] session) throws IOException {
        Path file = folder.resolve(name.replace(", ", "-").replace(' ', '-') + ".bmp");
        streams.add(new Stream(streams.size(), name, List.of(Files.write(file, session))));
    }

    private byte[] session(List<Integer> families, int peers, int paths) {
        return DecodedLoad.bytes(TestLoad.of(seed, peers, prefixes)
                .families(families)
                .views(EnumSet.allOf(RibView.class))
                .paths(paths)
                .changes(10L * prefixes)
                .down(true)
                .router());
    }

    /** The session without its Statistics Reports, or without its Route Monitoring. */
    private static byte[] reports(byte[] session, boolean wanted) {
        MessageType unwanted = wanted ? MessageType.ROUTE_MONITORING : MessageType.STATISTICS_REPORT;
        ByteSink out = new ByteSink(session.length);
        int to;
        for (int at = 0; at < session.length; at = to) {
            to = at + BmpMessages.length(session, at);
            if (MessageType.of(BmpMessages.type(session, at)) != unwanted) {
                out.bytes(session, at, to);
            }
        }
        return out.toByteArray();
    }
}
