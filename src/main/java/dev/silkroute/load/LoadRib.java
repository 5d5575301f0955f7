package dev.silkroute.load;

import dev.silkroute.bgp.RibView;
import dev.silkroute.bmp.BmpEncoder;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.PeerHeader;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Family;

/**
 * The routes of one peer in one view and family. A route is identified by its slot: path × prefixes + prefix. Not
 * thread-safe.
 *
 * <p>Routes that were never changed form groups of consecutive slots, four on average as in a full table. The routes of
 * a group share their attributes and one message.
 */
final class LoadRib {
    private static final int GROUP_SIZE = 4;

    /**
     * The most routes in a message. Keeps messages below BGP's 4096 bytes: the longest NLRI, an EVPN one with a path
     * identifier, has 41 bytes, and attributes take less than 500.
     */
    private static final int MAX_GROUP_SIZE = 64;

    private final LoadProfile profile;
    private final LoadPeer peer;
    private final RibView view;
    private final PeerHeader header;
    private final NlriSeries nlris;
    private final UpdateWriter writer;
    private final MalformedCounter malformed;
    private final ByteSink nlri;
    private final RouteVersions versions;
    private final int prefixes;
    private final int slots;

    private int dumped;
    private int routes;

    /**
     * @param writer shared by the RIBs of a router, which write one message after the other
     * @param malformed shared likewise
     */
    LoadRib(
            LoadProfile profile,
            LoadPeer peer,
            RibView view,
            NlriSeries nlris,
            UpdateWriter writer,
            MalformedCounter malformed) {
        this.profile = profile;
        this.peer = peer;
        this.view = view;
        this.nlris = nlris;
        this.writer = writer;
        this.malformed = malformed;
        header = peer.header(view);
        nlri = writer.nlri();
        prefixes = profile.prefixes(nlris.family());
        slots = profile.slots(nlris.family());
        versions = new RouteVersions(slots);
    }

    LoadProfile profile() {
        return profile;
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

    NlriSeries nlris() {
        return nlris;
    }

    RouteVersions versions() {
        return versions;
    }

    /** Returns the number of slots. */
    int slots() {
        return slots;
    }

    /** Returns the number of announced routes. */
    int routes() {
        return routes;
    }

    /** Returns the number of slots that the table dump has passed. */
    int dumped() {
        return dumped;
    }

    boolean isAnnounced(int slot) {
        return versions.isAnnounced(slot);
    }

    /** Starts the table dump again, from the current state. */
    void restart() {
        dumped = 0;
        routes = 0;
    }

    /**
     * Appends the next messages of the table dump: one for the unchanged routes of a group and one for each changed
     * route in it. Returns how many, 0 at the end.
     */
    int dump(ByteSink out) {
        int messages = 0;
        while (messages == 0 && dumped < slots) {
            int from = dumped;
            do {
                dumped++;
            } while (dumped < slots && !isGroupStart(dumped));
            messages = dump(from, dumped, out);
        }
        return messages;
    }

    private int dump(int from, int to, ByteSink out) {
        int before = routes;
        nlri.reset();
        for (int slot = from; slot < to; slot++) {
            if (versions.isInitial(slot)) {
                writeNlri(slot, false);
                routes++;
            }
        }
        int messages = 0;
        if (routes > before) {
            announceNlri(from, RouteVersions.INITIAL, out);
            messages++;
        }
        for (int slot = from; slot < to; slot++) {
            if (!versions.isInitial(slot) && versions.isAnnounced(slot)) {
                repeat(slot, out);
                routes++;
                messages++;
            }
        }
        return messages;
    }

    void endOfRib(ByteSink out) {
        writer.endOfRib(family());
        routeMonitoring(out);
    }

    /**
     * Announces one route with the attributes of a version.
     *
     * @param version positive
     */
    void announce(int slot, int version, ByteSink out) {
        routes += isAnnounced(slot) ? 0 : 1;
        versions.announce(slot, version);
        announce(slot, slot, version, out);
    }

    /** Announces a route again exactly as it was announced last, including what was malformed then. */
    void repeat(int slot, ByteSink out) {
        int version = versions.version(slot);
        Malformation malformation = versions.malformation(slot);
        if (malformation == null) {
            announce(slot, attributeSlot(slot, version), version, out);
        } else {
            announceMalformed(slot, version, malformation, out);
        }
    }

    /** Returns whether a route of this RIB can be malformed in this way. */
    boolean canHave(Malformation malformation) {
        return !malformation.needsNlriField() || UpdateWriter.usesNlriField(peer, family());
    }

    /**
     * Appends a malformed message about a route, or in its place.
     *
     * @param version below −1, and not used for this route before
     */
    void malformed(Malformation malformation, int slot, int version, ByteSink out) {
        switch (malformation.effect()) {
            case WITHDRAWN -> {
                announceMalformed(slot, version, malformation, out);
                routes -= isAnnounced(slot) ? 1 : 0;
                versions.withdraw(slot);
            }
            case DISCARDED, KEPT -> {
                announceMalformed(slot, version, malformation, out);
                routes += isAnnounced(slot) ? 0 : 1;
                versions.announceMalformed(slot, version, malformation);
            }
            case QUARANTINED -> quarantined(malformation, slot, version, out);
        }
    }

    private void announceMalformed(int slot, int version, Malformation malformation, ByteSink out) {
        malformed.add(malformation);
        nlri.reset();
        writeNlri(slot, false);
        draw(writer.attributes(), slot, version);
        writer.announce(peer, family(), malformation.omitted(), malformation.attributes());
        routeMonitoring(out);
    }

    private void quarantined(Malformation malformation, int slot, int version, ByteSink out) {
        malformed.add(malformation);
        if (!malformation.attributes().isEmpty()) {
            MalformedMessages.update(malformation.attributes(), writer.update());
            routeMonitoring(out);
            return;
        }
        if (malformation.messageType() != MessageType.ROUTE_MONITORING
                || malformation == Malformation.PER_PEER_HEADER_CUT) {
            MalformedMessages.write(malformation, header, out);
            return;
        }
        nlri.reset();
        writeNlri(slot, malformation == Malformation.WITHDRAWN_NLRI_LENGTH);
        if (malformation == Malformation.NLRI_LENGTH || malformation == Malformation.WITHDRAWN_NLRI_LENGTH) {
            MalformedMessages.spoilNlri(nlri);
        }
        if (malformation == Malformation.WITHDRAWN_NLRI_LENGTH) {
            writer.withdraw(family());
        } else {
            draw(writer.attributes(), slot, version);
            writer.announce(peer, family());
        }
        MalformedMessages.spoil(malformation, writer.update());
        routeMonitoring(out);
    }

    void withdraw(int slot, ByteSink out) {
        routes--;
        versions.withdraw(slot);
        nlri.reset();
        writeNlri(slot, true);
        writer.withdraw(family());
        routeMonitoring(out);
    }

    /**
     * Returns whether a group starts at the slot. A group ends at the latest with its 64th prefix or before another
     * kind of route.
     */
    private boolean isGroupStart(int slot) {
        int prefix = prefix(slot);
        return prefix % MAX_GROUP_SIZE == 0
                || KeyedRandom.hash(profile.seed(), slot, GROUP_SIZE) % GROUP_SIZE == 0
                || nlris.kind(prefix) != nlris.kind(prefix - 1);
    }

    /**
     * Returns the slot that the attributes of a route are drawn for: the group's first for an unchanged route, else its
     * own.
     */
    int attributeSlot(int slot, int version) {
        int first = slot;
        while (version == RouteVersions.INITIAL && !isGroupStart(first)) {
            first--;
        }
        return first;
    }

    private void announce(int slot, int attributeSlot, int version, ByteSink out) {
        nlri.reset();
        writeNlri(slot, false);
        announceNlri(attributeSlot, version, out);
    }

    private void announceNlri(int attributeSlot, int version, ByteSink out) {
        draw(writer.attributes(), attributeSlot, version);
        writer.announce(peer, family());
        routeMonitoring(out);
    }

    /** Draws the attributes of a route; see {@link #attributeSlot}. */
    void draw(GeneratedAttributes attributes, int attributeSlot, int version) {
        attributes.draw(peer, view, family(), attributeSlot, nlris.kind(prefix(attributeSlot)), version);
    }

    private void writeNlri(int slot, boolean withdrawal) {
        if (profile.addPath()) {
            nlri.u32(pathId(slot));
        }
        nlris.write(prefix(slot), withdrawal, nlri);
    }

    /** Returns the number of the slot's prefix. */
    int prefix(int slot) {
        return slot % prefixes;
    }

    /** Returns the path identifier of the slot, for profiles with ADD-PATH. */
    int pathId(int slot) {
        return slot / prefixes + 1;
    }

    private void routeMonitoring(ByteSink out) {
        BmpEncoder.routeMonitoring(
                header, writer.update().array(), 0, writer.update().position(), out);
    }

    /**
     * Appends a statistic per family with the number of routes: u16 type | u16 11 | AFI | SAFI | u64 (RFC 7854, Section
     * 4.8).
     */
    void statistic(int type, ByteSink out) {
        out.u16(type)
                .u16(11)
                .u16(Family.afi(family()))
                .u8(Family.safi(family()))
                .i64(routes);
    }

    /** Begins a Statistics Report of this peer and view; returns its position for {@link BmpEncoder#end}. */
    int beginStatistics(ByteSink out) {
        return BmpEncoder.begin(MessageType.STATISTICS_REPORT, header, out);
    }
}
