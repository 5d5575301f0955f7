package dev.silkroute.session;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of one peer within a session: its identity, the views that are up, how its UPDATEs are encoded, and the
 * tables that the router is sending initially. Not thread-safe.
 */
final class MonitoredPeer {
    /**
     * More tables than there are views and families. Further ones, which only a faulty router has, count as never
     * complete.
     */
    private static final int MAX_TABLES = 256;

    /** Batches are numbered from 1. */
    private static final long NO_BATCH = 0;

    private final PeerKey key;
    private final int bgpId;
    private final int asn;
    private final Set<RibView> upViews = EnumSet.noneOf(RibView.class);
    private final @Nullable PeerEntry[] entries = new PeerEntry[RibView.values().length];
    private final int[] batchIndexes = new int[entries.length];
    private final long[] batchOfIndex = new long[entries.length];

    private final AddPathPolicy policy;
    private final @Nullable UpdateContext[] contexts = new UpdateContext[entries.length];
    /**
     * The capabilities agreed by the Peer Up of each view; {@link #latest} applies to views without one of their own.
     */
    private final @Nullable SessionCapabilities[] capabilities = new SessionCapabilities[entries.length];

    private @Nullable SessionCapabilities latest;
    private final List<TableDump> tables = new ArrayList<>(2);
    private @Nullable TableDump lastTable;
    private long upSinceMicros;
    private boolean complete;
    private final Set<RibView> unannounced = EnumSet.noneOf(RibView.class);

    /** @param nowMicros when its first message was received */
    MonitoredPeer(PeerKey key, PerPeerHeader header, AddPathPolicy policy, long nowMicros) {
        this.key = key;
        this.policy = policy;
        bgpId = header.bgpId();
        asn = header.asn();
        upSinceMicros = nowMicros;
    }

    PeerKey key() {
        return key;
    }

    int bgpId() {
        return bgpId;
    }

    int asn() {
        return asn;
    }

    boolean isUp() {
        return !upViews.isEmpty();
    }

    boolean isUp(RibView view) {
        return upViews.contains(view);
    }

    /** Returns whether a header has exactly this peer's identity, including BGP identifier and AS. */
    boolean is(PerPeerHeader header) {
        return bgpId == header.bgpId() && asn == header.asn() && key.matches(header);
    }

    /**
     * Handles a Peer Up of a view. What has been learnt from the view's messages about their encoding is dropped if the
     * capabilities differ from the previous ones, and kept if the Peer Up only repeats them.
     */
    void up(RibView view, SessionCapabilities agreed, long nowMicros) {
        boolean first = upViews.isEmpty();
        if (upViews.add(view)) {
            forgetTables(first ? null : view);
            upSinceMicros = nowMicros;
            complete = false;
        }
        for (int i = 0; i < contexts.length; i++) {
            boolean isAffected = i == view.code() || capabilities[i] == null;
            if (isAffected && !agreed.equals(known(i))) {
                contexts[i] = null;
            }
        }
        if (!neighborRole(view).equals(agreed.neighborRole())) {
            Arrays.fill(batchOfIndex, NO_BATCH); // the peer table of the batch gets the new role
        }
        capabilities[view.code()] = agreed;
        latest = agreed;
    }

    /** Returns what the peer is for the router; empty if it is unknown. */
    Optional<NeighborRole> neighborRole(RibView view) {
        SessionCapabilities known = known(view.code());
        return known == null ? Optional.empty() : known.neighborRole();
    }

    /**
     * Returns whether a Peer Down with {@code view} in its flags ends only that view, which is so if the router sent
     * one Peer Up per view (Huawei). Routers that send one for all views (GoBGP, FRR, BIRD) end them all with one Peer
     * Down, whatever its flags are (Cisco).
     */
    boolean endsOneViewOnly(RibView view) {
        return upViews.size() > 1 && upViews.contains(view);
    }

    void down(RibView view) {
        upViews.remove(view);
        capabilities[view.code()] = null;
        contexts[view.code()] = null;
        forgetTables(view);
    }

    /** Forgets the tables of a view. @param view null for all */
    private void forgetTables(@Nullable RibView view) {
        tables.removeIf(table -> view == null || table.view() == view);
        lastTable = null;
    }

    /** Returns a table of the peer. It is new, and open, with its first announcement. */
    TableDump table(RibView view, int family, long nowMicros) {
        TableDump last = lastTable;
        if (last != null && last.family() == family && last.view() == view) {
            return last;
        }
        TableDump table = null;
        for (TableDump known : tables) {
            if (known.family() == family && known.view() == view) {
                table = known;
            }
        }
        if (table == null) {
            table = new TableDump(view, family, nowMicros);
            if (complete) {
                table.complete(); // a table that begins so late is not part of the initial dump
            }
            if (tables.size() < MAX_TABLES) {
                tables.add(table);
            }
        }
        lastTable = table;
        return table;
    }

    /** Returns how much of the peer's tables has been received; that of a peer that is down counts as complete. */
    DumpState dumpState() {
        if (!isUp()) {
            return DumpState.COMPLETE;
        }
        if (tables.isEmpty()) {
            return complete ? DumpState.COMPLETE : DumpState.NOT_BEGUN;
        }
        for (TableDump table : tables) {
            if (table.isOpen()) {
                return DumpState.IN_PROGRESS;
            }
        }
        return DumpState.COMPLETE;
    }

    /** Completes the open tables without an announcement for {@code quietMicros}, and returns them. */
    List<TableDump> completeQuiet(long nowMicros, long quietMicros) {
        List<TableDump> quiet = new ArrayList<>(0);
        for (TableDump table : tables) {
            if (table.isOpen() && table.isQuiet(nowMicros, quietMicros)) {
                table.complete();
                quiet.add(table);
            }
        }
        return quiet;
    }

    /** Returns whether the initial dump is over, so that no table is open and none can be opened. */
    boolean isComplete() {
        return complete;
    }

    /** Completes all tables if the Peer Up was {@code longestMicros} ago. @return whether this call has done so */
    boolean completeAll(long nowMicros, long longestMicros) {
        if (complete || nowMicros - upSinceMicros < longestMicros) {
            return false;
        }
        complete = true;
        tables.forEach(TableDump::complete);
        return true;
    }

    /** Returns a view of which there have been events. */
    RibView anyView() {
        for (int i = 0; i < entries.length; i++) {
            PeerEntry entry = entries[i];
            if (entry != null) {
                return entry.view();
            }
        }
        return RibView.ADJ_RIB_IN_PRE_POLICY;
    }

    /**
     * Returns how to decode the peer's UPDATEs. Before a Peer Up, only the A flag and the bytes themselves are
     * indications.
     */
    UpdateContext context(PerPeerHeader header) {
        RibView view = header.view();
        UpdateContext context = contexts[view.code()];
        if (context == null) {
            context = new UpdateContext(true, agreed(view), policy);
            contexts[view.code()] = context;
        }
        SessionCapabilities known = known(view.code());
        boolean legacy = header.legacyAsPath();
        context.expectFourOctetAs(known == null ? !legacy : known.fourOctetAs(legacy));
        return context;
    }

    /** Returns true once per view, for its first message, if the peer has had no Peer Up for any view. */
    boolean takeUnannounced(RibView view) {
        return latest == null && unannounced.add(view);
    }

    private AddPathFamilies agreed(RibView view) {
        SessionCapabilities known = known(view.code());
        return known == null ? AddPathFamilies.NONE : known.addPath(view.adjRibOut());
    }

    private @Nullable SessionCapabilities known(int view) {
        SessionCapabilities own = capabilities[view];
        return own == null ? latest : own;
    }

    PeerEntry entry(RibView view) {
        PeerEntry entry = entries[view.code()];
        if (entry == null) {
            entry = new PeerEntry(
                    key.peerType(),
                    key.distinguisher(),
                    key.ipv6(),
                    key.addressHigh(),
                    key.addressLow(),
                    asn,
                    bgpId,
                    view);
            entries[view.code()] = entry;
        }
        return entry;
    }

    /**
     * Returns the peer's index in the peer table of batch number {@code batch}, -1 if the batch does not have it yet.
     */
    int indexIn(long batch, RibView view) {
        return batchOfIndex[view.code()] == batch ? batchIndexes[view.code()] : -1;
    }

    void indexIn(long batch, RibView view, int index) {
        batchOfIndex[view.code()] = batch;
        batchIndexes[view.code()] = index;
    }
}
