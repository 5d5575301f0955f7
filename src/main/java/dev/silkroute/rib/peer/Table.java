package dev.silkroute.rib.peer;

import dev.silkroute.bgp.RibView;
import dev.silkroute.rib.RibPeer;
import dev.silkroute.rib.RibTable;
import dev.silkroute.rib.memory.Counter;
import dev.silkroute.rib.memory.PaddedArrays;
import dev.silkroute.state.TablePhase;
import java.util.Arrays;

/**
 * The routes of one family that a peer shows in one view, in one shard. Lives as long as the shard; when its peer goes down it begins anew with the next
 * epoch, and pages of another epoch are no more its state. Written by the shard's writer.
 */
public final class Table implements RibTable {
    private static final int[] NONE = {};

    // The writer's numbers, behind the counts
    private static final int PAGE_WITH_ROOM = PaddedArrays.FIRST_LONG + 3;
    private static final int POSITIONS = PAGE_WITH_ROOM + 1;
    private static final int FREE_POSITION = PAGE_WITH_ROOM + 2;

    private final long[] state = PaddedArrays.longs(6);

    public final int id;
    public final PeerView peerView;
    public final RibPeer peer;
    public final RibView view;
    public final int family;
    final ViewFamily cell;
    /** Live routes. */
    public final Counter routes = new Counter(state, 0);
    /** Those of them that the newest session to speak of the peer's view has announced or confirmed. */
    public final Counter confirmed = new Counter(state, 1);
    /** Announcements that there was no memory for since it began or its session did: what it lacks. */
    public final Counter refused = new Counter(state, 2);

    public TablePhase phase = TablePhase.UNSYNCHRONIZED;

    private volatile int epoch = 1;
    /** Pages by position; negative: a free position, naming the next one. */
    private volatile int[] pages = NONE;

    Table(int id, PeerView peerView, int family, ViewFamily cell) {
        this.id = id;
        this.peerView = peerView;
        this.peer = peerView.peer.identity;
        this.view = peerView.view;
        this.family = family;
        this.cell = cell;
        state[FREE_POSITION] = -1;
    }

    /** First of the pages with room, 0 if there is none. */
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

    /** Begins anew: no reader sees a route any more. @return the pages that were its state */
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
