package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one peer in one view and family. A slot is a route: path × prefixes + prefix. Not thread-safe.
 *
 * <p>Routes that are announced together share their attributes, and so does each message: groups of four on average, as in a full table.
 */
final class LoadRib {
    private static final int WITHDRAWN = -1; // no version: those below 0 begin with the least
    private static final int GROUP = 4;
    private static final Malformation[] MALFORMATIONS = Malformation.values();

    /** The longest NLRI that we make, an EVPN one with a path identifier, has 41 bytes; attributes are below 500. */
    private static final int MOST_IN_MESSAGE = 64;

    private final LoadProfile profile;
    private final LoadPeer peer;
    private final RibView view;
    private final PeerHeader header;
    private final Nlris nlris;
    private final UpdateWriter writer;
    private final FaultTally tally;
    private final ByteSink nlri;

    private int dumped;
    private int routes;

    /** What became of each route: 0 as at the beginning, else the number of the change, below 0 for malformed messages. Empty before the first one. */
    private int[] versions = {};

    /** What was wrong with the message that brought each route, 1 more than its place in {@link Malformation}; empty before the first one. */
    private byte[] faults = {};

    /** @param writer of the router, which makes one message after the other; {@code tally} likewise */
    LoadRib(LoadProfile profile, LoadPeer peer, RibView view, Nlris nlris, UpdateWriter writer, FaultTally tally) {
        this.profile = profile;
        this.peer = peer;
        this.view = view;
        this.nlris = nlris;
        this.writer = writer;
        this.tally = tally;
        header = peer.header(view);
        nlri = writer.nlri();
    }

    RibView view() {
        return view;
    }

    int family() {
        return nlris.family();
    }

    /** Routes announced and not withdrawn. */
    int routes() {
        return routes;
    }

    /** Slots that the dump is through with. */
    int dumped() {
        return dumped;
    }

    /** The table is to be dumped once more, as it is now. */
    void restart() {
        dumped = 0;
        routes = 0;
    }

    /** The next messages of the table: a group, and those of its routes that were changed, each alone. Returns how many, 0 at the end. */
    int dump(ByteSink out) {
        int messages = 0;
        while (messages == 0 && dumped < profile.slots()) {
            int from = dumped;
            do {
                dumped++;
            } while (dumped < profile.slots() && !begins(dumped));
            messages = dump(from, dumped, out);
        }
        return messages;
    }

    private int dump(int from, int to, ByteSink out) {
        int before = routes;
        nlri.reset();
        for (int slot = from; slot < to; slot++) {
            if (version(slot) == 0) {
                write(slot, false);
                routes++;
            }
        }
        int messages = 0;
        if (routes > before) {
            announceNlri(from, 0, out);
            messages++;
        }
        for (int slot = from; slot < to; slot++) {
            if (version(slot) != 0 && announced(slot)) {
                repeat(slot, out);
                routes++;
                messages++;
            }
        }
        return messages;
    }

    void endOfRib(ByteSink out) {
        writer.endOfRib(family());
        monitor(out);
    }

    boolean announced(int slot) {
        return version(slot) != WITHDRAWN;
    }

    private int version(int slot) {
        return versions.length == 0 ? 0 : versions[slot];
    }

    /** Announces one route, with attributes that it has not had. */
    void announce(int slot, int version, ByteSink out) {
        routes += announced(slot) ? 0 : 1;
        change(slot, version);
        announce(slot, slot, version, out);
    }

    /** Announces a route once more as it was, with what was wrong with it. */
    void repeat(int slot, ByteSink out) {
        int version = version(slot);
        Malformation fault = fault(slot);
        if (fault == null) {
            announce(slot, version == 0 ? group(slot) : slot, version, out);
        } else {
            announceFaulty(slot, version, fault, out);
        }
    }

    private @Nullable Malformation fault(int slot) {
        return faults.length == 0 || faults[slot] == 0 ? null : MALFORMATIONS[faults[slot] - 1];
    }

    boolean canHave(Malformation kind) {
        return !kind.classic() || UpdateWriter.classic(peer, family());
    }

    /**
     * A malformed message about a route, or at its place.
     *
     * @param version one that it has not had
     */
    void malformed(Malformation kind, int slot, int version, ByteSink out) {
        switch (kind.effect()) {
            case WITHDRAWN -> {
                announceFaulty(slot, version, kind, out);
                routes -= announced(slot) ? 1 : 0;
                change(slot, WITHDRAWN);
            }
            case DISCARDED, KEPT -> {
                announceFaulty(slot, version, kind, out);
                routes += announced(slot) ? 0 : 1;
                change(slot, version);
                if (faults.length == 0) {
                    faults = new byte[profile.slots()];
                }
                faults[slot] = (byte) (kind.ordinal() + 1);
            }
            case QUARANTINED -> quarantined(kind, slot, version, out);
        }
    }

    private void announceFaulty(int slot, int version, Malformation kind, ByteSink out) {
        tally.add(kind);
        nlri.reset();
        write(slot, false);
        draw(writer.attributes(), slot, version);
        writer.announce(peer, family(), kind.omitted(), kind.attributes());
        monitor(out);
    }

    private void quarantined(Malformation kind, int slot, int version, ByteSink out) {
        tally.add(kind);
        if (!kind.attributes().isEmpty()) {
            MalformedMessages.update(kind.attributes(), writer.update());
            monitor(out);
            return;
        }
        if (kind.messageType() != MessageType.ROUTE_MONITORING || kind == Malformation.PER_PEER_HEADER_CUT) {
            MalformedMessages.write(kind, header, out);
            return;
        }
        nlri.reset();
        write(slot, kind == Malformation.WITHDRAWN_NLRI_LENGTH);
        if (kind == Malformation.NLRI_LENGTH || kind == Malformation.WITHDRAWN_NLRI_LENGTH) {
            MalformedMessages.spoilNlri(nlri);
        }
        if (kind == Malformation.WITHDRAWN_NLRI_LENGTH) {
            writer.withdraw(family());
        } else {
            draw(writer.attributes(), slot, version);
            writer.announce(peer, family());
        }
        MalformedMessages.spoil(kind, writer.update());
        monitor(out);
    }

    void withdraw(int slot, ByteSink out) {
        routes--;
        change(slot, WITHDRAWN);
        nlri.reset();
        write(slot, true);
        writer.withdraw(family());
        monitor(out);
    }

    private void change(int slot, int version) {
        if (versions.length == 0) {
            versions = new int[profile.slots()];
        }
        versions[slot] = version;
        if (faults.length > 0) {
            faults[slot] = 0;
        }
    }

    /**
     * Whether a group begins there, at the latest when a message would get too long or another kind of route comes. Each path of a prefix has
     * attributes of its own.
     */
    private boolean begins(int slot) {
        int prefix = slot % profile.prefixes();
        return prefix % MOST_IN_MESSAGE == 0
                || Dice.hash(profile.seed(), slot, GROUP) % GROUP == 0
                || nlris.kind(prefix) != nlris.kind(prefix - 1);
    }

    private int group(int slot) {
        int first = slot;
        while (!begins(first)) {
            first--;
        }
        return first;
    }

    private void announce(int slot, int group, int version, ByteSink out) {
        nlri.reset();
        write(slot, false);
        announceNlri(group, version, out);
    }

    private void announceNlri(int group, int version, ByteSink out) {
        draw(writer.attributes(), group, version);
        writer.announce(peer, family());
        monitor(out);
    }

    private void draw(RouteAttributes attributes, int group, int version) {
        attributes.draw(peer, view, family(), group, nlris.kind(group % profile.prefixes()), version);
    }

    private void write(int slot, boolean withdrawal) {
        if (profile.addPath()) {
            nlri.u32(pathId(slot));
        }
        nlris.write(slot % profile.prefixes(), withdrawal, nlri);
    }

    private int pathId(int slot) {
        return slot / profile.prefixes() + 1;
    }

    private void monitor(ByteSink out) {
        BmpEncoder.routeMonitoring(
                header, writer.update().array(), 0, writer.update().position(), out);
    }

    /** Appends u16 type | u16 11 | AFI | SAFI | u64 of a statistic per family (RFC 7854, Section 4.8). */
    void statistic(int type, ByteSink out) {
        out.u16(type)
                .u16(11)
                .u16(Family.afi(family()))
                .u8(Family.safi(family()))
                .i64(routes);
    }

    /** Begins a Statistics Report of this view; returns where. */
    int beginStatistics(ByteSink out) {
        return BmpEncoder.begin(MessageType.STATISTICS_REPORT, header, out);
    }

    /** As it is now. */
    ExpectedRib expected(String router) {
        int[] now = Arrays.copyOf(versions, profile.slots());
        byte[] wrong = Arrays.copyOf(faults, profile.slots());
        return new ExpectedRib(router, peer.address(), view, family(), routes, visitor -> visit(now, wrong, visitor));
    }

    private void visit(int[] at, byte[] wrong, Consumer<ExpectedRoute> visitor) {
        RouteAttributes attributes = new RouteAttributes(profile.seed());
        for (int slot = 0; slot < at.length; slot++) {
            if (at[slot] != WITHDRAWN) {
                draw(attributes, at[slot] == 0 ? group(slot) : slot, at[slot]);
                int prefix = slot % profile.prefixes();
                visitor.accept(ExpectedRoute.of(
                        nlris.text(prefix),
                        profile.addPath() ? pathId(slot) : ExpectedRib.NO_PATH_ID,
                        nlris.labels(prefix),
                        peer,
                        family(),
                        attributes,
                        wrong[slot] == 0 ? null : MALFORMATIONS[wrong[slot] - 1]));
            }
        }
    }
}
