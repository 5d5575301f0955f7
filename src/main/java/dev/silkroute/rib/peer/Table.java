package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.PaddedArrays;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.TablePhase;
import java.util.Arrays;

/**
 * The routes of one family that a peer has in one view, in one shard: the pages that its routes are in, and counters. A
 * table lives as long as the shard. When the peer goes down, the table's epoch is incremented, which hides the routes
 * of all pages of the old epoch at once; the purger removes them later.
 *
 * <pre>
 * state   (padded) live routes | confirmed | rejected | first page with room | positions | first free position
 * pages   by position; a free position contains -next - 2, where next is the next free position, or -1
 *
 * three positions, the second of which is free and the only free one: pages {5, -1, 9}, first free position 1
 * </pre>
 *
 * One thread writes. Readers use {@link #epoch}, {@link #pages} and the counters.
 */
public final class Table implements RibTable {
    private static final int[] NONE = {};

    // Indexes in state after the counters, for the writer only
    private static final int PAGE_WITH_ROOM = PaddedArrays.FIRST_LONG + 3;
    private static final int POSITIONS = PAGE_WITH_ROOM + 1;
    private static final int FREE_POSITION = PAGE_WITH_ROOM + 2;

    private final long[] state = PaddedArrays.longs(6);

    public final int id;
    public final PeerView peerView;
    public final RibPeer peer;
    public final RibView view;
    public final int family;
    final ViewFamily viewFamily;
    /** Live routes. */
    public final Counter routes = new Counter(state, 0);
    /** Live routes that the newest session of the peer's view has announced or confirmed. */
    public final Counter confirmed = new Counter(state, 1);
    /** Announcements rejected for lack of memory since the table or its session began. */
    public final Counter rejected = new Counter(state, 2);

    /** The session in which the routes were evicted to make room for others; it adds no routes any more. */
    public long evictedIn = RouterSession.NONE;

    /** The phase, which depends on whether End-of-RIB has been processed for the table. */
    public TablePhase phase = TablePhase.UNSYNCHRONIZED;

    /** The newest session in which the table has had its End-of-RIB since a Peer Down. */
    private volatile long completeIn = RouterSession.NONE;

    private volatile int epoch = 1;
    /** Pages by position. A negative element is a free position: {@code -next - 2} names the next free one, -1 none. */
    private volatile int[] pages = NONE;

    Table(int id, PeerView peerView, int family, ViewFamily viewFamily) {
        this.id = id;
        this.peerView = peerView;
        this.peer = peerView.peer.identity;
        this.view = peerView.view;
        this.family = family;
        this.viewFamily = viewFamily;
        state[FREE_POSITION] = -1;
    }

    /** @param session the newest one with an End-of-RIB for the table, {@link RouterSession#NONE} if there is none */
    void completeIn(long session) {
        completeIn = session;
    }

    /** Returns whether the table has had its End-of-RIB in the router's newest session, since a Peer Down. */
    public boolean isSynchronized() {
        long session = completeIn;
        return session != RouterSession.NONE && session >= peerView.peer.router.sessionId();
    }

    /** The first page with room for another route, 0 if there is none. */
    public int pageWithRoom() {
        return (int) state[PAGE_WITH_ROOM];
    }

    public void pageWithRoom(int page) {
        state[PAGE_WITH_ROOM] = page;
    }

    public int epoch() {
        return epoch;
    }

    public int[] pages() {
        return pages;
    }

    public int addPage(int page) {
        int[] now = pages;
        int position = (int) state[FREE_POSITION];
        if (position >= 0) {
            state[FREE_POSITION] = -now[position] - 2;
        } else {
            position = (int) state[POSITIONS]++;
            if (position == now.length) {
                now = Arrays.copyOf(now, Math.max(4, now.length * 2));
            }
        }
        now[position] = page;
        pages = now;
        return position;
    }

    public void removePage(int position) {
        int[] now = pages;
        now[position] = (int) -state[FREE_POSITION] - 2;
        pages = now;
        state[FREE_POSITION] = position;
    }

    /**
     * Ends the table and begins its next epoch: no reader sees a route any more.
     *
     * @return the pages of the ended epoch
     */
    public int[] flush() {
        int[] ended = pages;
        epoch = epoch + 1;
        pages = NONE;
        state[POSITIONS] = 0;
        state[FREE_POSITION] = -1;
        state[PAGE_WITH_ROOM] = 0;
        return ended;
    }

    @Override
    public RibPeer peer() {
        return peer;
    }

    @Override
    public int peerAsn() {
        return peerView.peer.asn;
    }

    @Override
    public RibView view() {
        return view;
    }

    @Override
    public int family() {
        return family;
    }

    @Override
    public long routes() {
        return routes.get();
    }

    @Override
    public long stale() {
        return peerView.fresh() ? Math.max(0, routes.get() - confirmed.get()) : routes.get();
    }
}
