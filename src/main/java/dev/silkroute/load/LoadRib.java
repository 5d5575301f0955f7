package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.update.UpdateEncoder;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;
import java.util.Arrays;

/**
 * The routes of one peer in one view and family. A slot is a route: path × prefixes + prefix. Not thread-safe.
 *
 * <p>Routes that are announced together share their attributes, and so does each message: groups of four on average, as in a full table.
 */
final class LoadRib {
    private static final int WITHDRAWN = -1;
    private static final int GROUP = 4;

    /** The longest NLRI that we make, an EVPN one with a path identifier, has 41 bytes; attributes are below 200. */
    private static final int MOST_IN_MESSAGE = 64;

    private final LoadProfile profile;
    private final LoadPeer peer;
    private final RibView view;
    private final Nlris nlris;
    private final RouteAttributes attributes;
    private final ByteSink update = new ByteSink(512);
    private final ByteSink nlri = new ByteSink(256);
    private final UpdateEncoder encoder = new UpdateEncoder(update, true, false);

    private int dumped;
    private int routes;

    /** What churn has made of each route: 0 as at the beginning, else the number of the change. Empty before the first one. */
    private int[] versions = {};

    LoadRib(LoadProfile profile, LoadPeer peer, RibView view, Nlris nlris, RouteAttributes attributes) {
        this.profile = profile;
        this.peer = peer;
        this.view = view;
        this.nlris = nlris;
        this.attributes = attributes;
    }

    LoadPeer peer() {
        return peer;
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
                write(slot, false, nlri);
                routes++;
            }
        }
        int messages = 0;
        if (routes > before) {
            announceNlri(from, 0, out);
            messages++;
        }
        for (int slot = from; slot < to; slot++) {
            if (version(slot) > 0) {
                announce(slot, slot, version(slot), out);
                routes++;
                messages++;
            }
        }
        return messages;
    }

    private int version(int slot) {
        return versions.length == 0 ? 0 : versions[slot];
    }

    void endOfRib(ByteSink out) {
        update.reset();
        encoder.endOfRib(family());
        monitor(out);
    }

    boolean announced(int slot) {
        return version(slot) != WITHDRAWN;
    }

    /** Announces one route, with attributes that it has not had. */
    void announce(int slot, int version, ByteSink out) {
        routes += announced(slot) ? 0 : 1;
        change(slot, version);
        announce(slot, slot, version, out);
    }

    /** Announces a route once more as it was at the beginning; for one that nothing else has happened to. */
    void repeat(int slot, ByteSink out) {
        announce(slot, group(slot), 0, out);
    }

    void withdraw(int slot, ByteSink out) {
        routes--;
        change(slot, WITHDRAWN);
        update.reset();
        encoder.begin();
        if (family() == Family.IPV4_UNICAST) {
            write(slot, true, update);
        } else {
            nlri.reset();
            write(slot, true, nlri);
            encoder.attributes().mpUnreach(family(), Bytes.copyOf(nlri.array(), 0, nlri.position()));
        }
        encoder.end();
        monitor(out);
    }

    private void change(int slot, int version) {
        if (versions.length == 0) {
            versions = new int[profile.slots()];
        }
        versions[slot] = version;
    }

    /** Whether a group begins there, at the latest when a message would get too long. Each path of a prefix has attributes of its own. */
    private boolean begins(int slot) {
        int prefix = slot % profile.prefixes();
        return prefix % MOST_IN_MESSAGE == 0 || Dice.hash(profile.seed(), slot, GROUP) % GROUP == 0;
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
        write(slot, false, nlri);
        announceNlri(group, version, out);
    }

    private void announceNlri(int group, int version, ByteSink out) {
        update.reset();
        Bytes announced = Bytes.copyOf(nlri.array(), 0, nlri.position());
        encoder.begin();
        attributes.write(peer, view, family(), group, version, announced, encoder.attributes());
        if (family() == Family.IPV4_UNICAST) {
            encoder.nlri().raw(announced);
        }
        encoder.end();
        monitor(out);
    }

    private void write(int slot, boolean withdrawal, ByteSink to) {
        if (profile.addPath()) {
            to.u32(pathId(slot));
        }
        nlris.write(slot % profile.prefixes(), withdrawal, to);
    }

    private int pathId(int slot) {
        return slot / profile.prefixes() + 1;
    }

    private void monitor(ByteSink out) {
        BmpEncoder.routeMonitoring(peer.header(view), update.array(), 0, update.position(), out);
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
        return BmpEncoder.begin(MessageType.STATISTICS_REPORT, peer.header(view), out);
    }

    /** As it is now. */
    ExpectedRib expected(String router) {
        int[] now = Arrays.copyOf(versions, profile.slots());
        return new ExpectedRib(router, peer.address(), view, family(), routes, visitor -> visit(now, visitor));
    }

    private void visit(int[] at, ExpectedRib.Visitor visitor) {
        for (int slot = 0; slot < at.length; slot++) {
            if (at[slot] != WITHDRAWN) {
                visitor.route(
                        nlris.text(slot % profile.prefixes()),
                        profile.addPath() ? pathId(slot) : ExpectedRib.NO_PATH_ID,
                        attributes.asPath(peer, view, family(), at[slot] == 0 ? group(slot) : slot, at[slot]));
            }
        }
    }
}
