package dev.silkroute.postgres.state;

import dev.silkroute.bgp.RibView;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.state.RouterSession;
import dev.silkroute.state.StateTimeouts;
import dev.silkroute.state.TablePhase;
import dev.silkroute.state.ViewPhase;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The phases of the views and tables of some peers, within one transaction: read at its beginning ({@code rib_table},
 * {@code rib_sync}), moved by events, written at its end. The phases of package {@code state} decide; this class stores
 * them and records for the withdrawals which generations have ended ({@code rib_ended}) and which tables are to be
 * purged ({@code rib_resync}). A generation is a view's life between two ends, and the rows of a view's routes have its
 * number.
 *
 * <p>The caller holds the {@link RouterLocks} of the peers' routers. Not thread-safe.
 */
public final class RibTables {
    private static final String TABLES = "SELECT peer_id, rib_view, generation, session_id, oldest_session_id, empty"
            + " FROM bmp.rib_table WHERE peer_id = ANY (?)";
    private static final String SYNC =
            "SELECT peer_id, rib_view, family, session_id FROM bmp.rib_sync WHERE peer_id = ANY (?)";
    private static final String ENDED = "SELECT DISTINCT peer_id, rib_view FROM bmp.rib_ended WHERE peer_id = ANY (?)";
    private static final String CONFIRMED = "SELECT EXISTS (SELECT FROM bmp.rib_confirmed WHERE peer_id = ANY (?))";
    private static final String WRITE = """
        INSERT INTO bmp.rib_table (peer_id, rib_view, generation, session_id, oldest_session_id, empty)
        SELECT * FROM unnest(CAST(? AS integer[]), CAST(? AS integer[]), CAST(? AS integer[]), CAST(? AS bigint[]),
          CAST(? AS bigint[]), CAST(? AS boolean[]))
        ON CONFLICT (peer_id, rib_view) DO UPDATE SET generation = excluded.generation, session_id = excluded.session_id,
          oldest_session_id = excluded.oldest_session_id, empty = excluded.empty\
        """;
    static final int ALL_VIEWS = -1;

    private final Connection connection;
    private final TableChanges changes;
    private final Map<Key, View> views = new HashMap<>();
    /** The view of the previous announcement, which is mostly that of the next one too. */
    private @Nullable View announced;

    /** Views that may have rows of ended generations. */
    private final Set<Key> ended = new HashSet<>();

    private boolean confirmed;

    private record Key(int peer, int view) {}

    /** The event that ends or purges routes, to which their synthetic withdrawals refer. */
    public record Cause(long session, long sequence, long receivedMicros) {}

    /** A peer in one RIB view: its phase, the phases of its tables, and the number of its current generation. */
    static final class View {
        private final Key key;
        private final Map<Integer, TablePhase> tables = new HashMap<>(4);
        private ViewPhase phase = ViewPhase.UNKNOWN;
        private int generation;
        private boolean changed;
        private boolean begun;

        private View(Key key) {
            this.key = key;
        }

        int peer() {
            return key.peer;
        }

        /** The code of the view. */
        int code() {
            return key.view;
        }

        int generation() {
            return generation;
        }

        /** Returns once whether an announcement has ended the emptiness of the view. */
        boolean hasBegun() {
            boolean hasBegun = begun;
            begun = false;
            return hasBegun;
        }

        private void moveTo(ViewPhase next) {
            if (next != phase) {
                begun = phase instanceof ViewPhase.Empty && next instanceof ViewPhase.Populated;
                phase = next;
                changed = true;
            }
        }

        private long oldestSession() {
            return phase instanceof ViewPhase.Populated populated ? populated.since() : phase.session();
        }

        private TablePhase table(int family) {
            return tables.getOrDefault(family, TablePhase.UNSYNCHRONIZED);
        }

        /** Returns whether a table holds no routes that sessions before this one announced and it has not. */
        boolean isSynchronized(int family, long session) {
            // Asked for every announcement: a view that began in the session, as most do, needs no lookup.
            return phase.beganIn(session) || table(family).isSynchronized(phase, session);
        }
    }

    private RibTables(Connection connection) {
        this.connection = connection;
        changes = new TableChanges(connection);
    }

    public static RibTables read(Connection connection, Set<Integer> peers) throws SQLException {
        RibTables read = new RibTables(connection);
        if (!peers.isEmpty()) {
            read.read(peers);
        }
        return read;
    }

    private void read(Set<Integer> peers) throws SQLException {
        Array ids = Sql.array(connection, "integer", peers);
        Sql.query(connection, TABLES, this::addView, ids);
        Sql.query(connection, SYNC, this::addTable, ids);
        Sql.query(connection, ENDED, row -> ended.add(new Key(row.getInt(1), row.getInt(2))), ids);
        Sql.query(connection, CONFIRMED, row -> confirmed = row.getBoolean(1), ids);
    }

    private void addView(ResultSet row) throws SQLException {
        View view = new View(new Key(row.getInt(1), row.getInt(2)));
        view.generation = row.getInt(3);
        long session = row.getLong(4);
        view.phase =
                row.getBoolean(6) ? new ViewPhase.Empty(session) : new ViewPhase.Populated(session, row.getLong(5));
        views.put(view.key, view);
    }

    private void addTable(ResultSet row) throws SQLException {
        View view = views.get(new Key(row.getInt(1), row.getInt(2)));
        if (view != null) {
            view.tables.put(row.getInt(3), new TablePhase.Synchronized(row.getLong(4)));
        }
    }

    /** Returns whether there may be rows of generations that have ended. */
    boolean ended() {
        return !ended.isEmpty();
    }

    /** Returns whether there may be rows of ended generations of a view. */
    boolean ended(View view) {
        return ended.contains(view.key);
    }

    /** Returns whether routes may have been confirmed before. */
    boolean confirmed() {
        return confirmed;
    }

    void confirmedSome() {
        confirmed = true;
    }

    /** Returns the view of a withdrawal, null if a newer session has mentioned it or it has never had a route. */
    @Nullable
    View accepting(int peer, int view, long session) {
        View found = views.get(new Key(peer, view));
        return found != null && found.phase.accepts(session) ? found : null;
    }

    /** Returns the view of an announcement, null if a newer session has mentioned it. */
    @Nullable
    View announced(int peer, int view, long session) {
        View found = announced;
        if (found == null || found.key.peer != peer || found.key.view != view) {
            found = views.computeIfAbsent(new Key(peer, view), View::new);
            announced = found;
        }
        found.moveTo(found.phase.announced(session));
        return found.phase.accepts(session) ? found : null;
    }

    void peerUp(int peer, long session) {
        views(peer, ALL_VIEWS).forEach(view -> view.moveTo(view.phase.mentioned(session)));
    }

    private List<View> views(int peer, int view) {
        List<View> found = new ArrayList<>(1);
        for (int i = first(view); i <= last(view); i++) {
            View of = views.get(new Key(peer, i));
            if (of != null) {
                found.add(of);
            }
        }
        return found;
    }

    private static int first(int view) {
        return view == ALL_VIEWS ? 0 : view;
    }

    private static int last(int view) {
        return view == ALL_VIEWS ? RibKey.LAST_VIEW : view;
    }

    /** A Peer Down. @param view {@link #ALL_VIEWS} if the peer ends in every view */
    void peerDown(int peer, int view, Cause cause) throws SQLException {
        changes.down(peer, first(view), last(view), cause);
        List<View> ending = new ArrayList<>();
        for (View of : views(peer, view)) {
            moveTo(of, of.phase.peerDown(cause.session), ending);
        }
        end(ending, cause);
    }

    /**
     * Ends the views whose routes have been stale for too long.
     *
     * @param router the phase of the router of all peers
     * @param cause when the routes end, and where in the session their withdrawals are placed
     * @return the number of views ended
     */
    public int expire(RouterSession router, StateTimeouts timeouts, Cause cause) throws SQLException {
        List<View> ending = new ArrayList<>();
        for (View view : views.values()) {
            moveTo(view, view.phase.checked(router, timeouts, cause.receivedMicros), ending);
        }
        end(ending, cause);
        return ending.size();
    }

    private static void moveTo(View view, ViewPhase next, List<View> ending) {
        if (view.phase.endsRoutes(next)) {
            ending.add(view);
        }
        view.moveTo(next);
    }

    /** Begins a new generation of each view. */
    private void end(List<View> ending, Cause cause) throws SQLException {
        for (View view : ending) {
            changes.end(view.key.peer, view.key.view, view.generation++, cause);
            ended.add(view.key);
        }
    }

    /**
     * An End-of-RIB.
     *
     * @param family 0 for all tables of the peer
     * @return the views that it concerns
     */
    List<View> endOfRib(int peer, int view, int family, Cause cause) throws SQLException {
        peerUp(peer, cause.session);
        boolean all = family == 0;
        int concerned = all ? ALL_VIEWS : view;
        // only views that exist: the table is read back view by view
        int lastView = all ? RibView.values().length - 1 : view;
        changes.endOfRib(peer, first(concerned), lastView, family, cause);
        List<View> named = views(peer, concerned);
        if (named.stream().noneMatch(of -> of.phase.mayHoldOlderThan(cause.session))) {
            return named;
        }
        TablePhase phase = all ? TablePhase.UNSYNCHRONIZED : named.getFirst().table(family);
        if (phase.endOfRib(cause.session) != phase) {
            changes.resync(peer, concerned, family, cause);
        }
        return named;
    }

    /** Writes what the events have changed besides phases, before routes are merged that they affect. */
    void writeChanges() throws SQLException {
        changes.write();
    }

    /** Writes the views whose phase has changed, and all other changes. */
    public void write() throws SQLException {
        changes.write();
        List<View> changed =
                views.values().stream().filter(view -> view.changed).toList();
        if (changed.isEmpty()) {
            return;
        }
        Sql.update(
                connection,
                WRITE,
                column("integer", changed, view -> view.key.peer),
                column("integer", changed, view -> view.key.view),
                column("integer", changed, view -> view.generation),
                column("bigint", changed, view -> view.phase.session()),
                column("bigint", changed, View::oldestSession),
                column("boolean", changed, view -> view.phase instanceof ViewPhase.Empty));
    }

    private Array column(String type, List<View> of, Function<View, Object> value) throws SQLException {
        return Sql.array(connection, type, of.stream().map(value).toList());
    }
}
