package dev.silkroute.session;

import dev.silkroute.bgp.AddPathFamilies;
import dev.silkroute.bgp.AddPathPolicy;
import dev.silkroute.bgp.RibView;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.open.SessionCapabilities;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.route.PeerEntry;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A peer of the monitored router, as this session knows it: identity, views that came up, and how to decode its UPDATEs. */
final class MonitoredPeer {
    /** More tables than there are views and families: past it, a router says what it likes, and its tables count as never ending. */
    private static final int MAX_TABLES = 256;

    private final PeerKey key;
    private final int bgpId;
    private final int asn;
    private final Set<RibView> upViews = EnumSet.noneOf(RibView.class);
    private final @Nullable PeerEntry[] entries = new PeerEntry[RibView.values().length];
    private final int[] batchIndexes = new int[entries.length];
    private final long[] batchOfIndex = new long[entries.length];

    private final AddPathPolicy policy;
    private final @Nullable UpdateContext[] contexts = new UpdateContext[entries.length];
    /** What the Peer Up of each view agreed on; where a view had none, what the latest one did. */
    private final @Nullable SessionCapabilities[] capabilities = new SessionCapabilities[entries.length];

    private @Nullable SessionCapabilities latest;
    private final List<TableDump> tables = new ArrayList<>(2);
    private @Nullable TableDump lastTable;
    private long sinceMicros;
    private boolean settled;
    private final Set<RibView> unannounced = EnumSet.noneOf(RibView.class);

    /** @param nowMicros when it was first heard of */
    MonitoredPeer(PeerKey key, PerPeerHeader header, AddPathPolicy policy, long nowMicros) {
        this.key = key;
        this.policy = policy;
        bgpId = header.bgpId();
        asn = header.asn();
        sinceMicros = nowMicros;
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

    /** Whether it is described by the identity in a header, BGP ID and AS included. */
    boolean is(PerPeerHeader header) {
        return bgpId == header.bgpId() && asn == header.asn() && key.matches(header);
    }

    /**
     * What was learnt about a view from its messages ends with a Peer Up that agrees on something else, and stays with one that only says the
     * same again.
     */
    void up(RibView view, SessionCapabilities agreed, long nowMicros) {
        boolean first = upViews.isEmpty();
        if (upViews.add(view)) {
            forgetTables(first ? null : view);
            sinceMicros = nowMicros;
            settled = false;
        }
        for (int i = 0; i < contexts.length; i++) {
            boolean concerned = i == view.code() || capabilities[i] == null;
            if (concerned && !agreed.equals(known(i))) {
                contexts[i] = null;
            }
        }
        capabilities[view.code()] = agreed;
        latest = agreed;
    }

    /**
     * Whether a Peer Down that names {@code view} ends that view only: so where the router sent one Peer Up per view
     * (Huawei). Routers that send one for all views (GoBGP, FRR, BIRD) end them all with one Peer Down, whatever flags it
     * bears (Cisco).
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

    /** @param view null for all */
    private void forgetTables(@Nullable RibView view) {
        tables.removeIf(table -> view == null || table.view() == view);
        lastTable = null;
    }

    /** A table of the peer, whose dump begins with the first that is heard of it. */
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
            if (settled) {
                table.end(); // what a router begins so late is no dump of what it had
            }
            if (tables.size() < MAX_TABLES) {
                tables.add(table);
            }
        }
        lastTable = table;
        return table;
    }

    /** Those that have been quiet for so long that they must be through; they are so from now on. */
    List<TableDump> endQuiet(long nowMicros, long quietMicros) {
        List<TableDump> quiet = new ArrayList<>(0);
        for (TableDump table : tables) {
            if (table.isOpen() && table.quiet(nowMicros, quietMicros)) {
                table.end();
                quiet.add(table);
            }
        }
        return quiet;
    }

    /** Whether there may be tables that the router still sends, or that an earlier session had and this one hasn't mentioned. */
    boolean isSettled() {
        return settled;
    }

    /** Whether its time for sending tables has just run out: then none is open any more. */
    boolean settle(long nowMicros, long longestMicros) {
        if (settled || nowMicros - sinceMicros < longestMicros) {
            return false;
        }
        settled = true;
        tables.forEach(TableDump::end);
        return true;
    }

    /** One of its views that has been spoken of. */
    RibView anyView() {
        for (int i = 0; i < entries.length; i++) {
            PeerEntry entry = entries[i];
            if (entry != null) {
                return entry.view();
            }
        }
        return RibView.ADJ_RIB_IN_PRE_POLICY;
    }

    /** How to decode its UPDATEs; before a Peer Up only the A flag and the bytes are there to go by. */
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

    /** Whether this is the first that is heard of a view although no Peer Up came, for any view. */
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

    /** The peer's index in the peer table of batch number {@code batch}, -1 if it isn't there yet. */
    int indexIn(long batch, RibView view) {
        return batchOfIndex[view.code()] == batch ? batchIndexes[view.code()] : -1;
    }

    void indexIn(long batch, RibView view, int index) {
        batchOfIndex[view.code()] = batch;
        batchIndexes[view.code()] = index;
    }
}
