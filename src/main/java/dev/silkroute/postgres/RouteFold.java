package dev.silkroute.postgres;

import dev.silkroute.bgp.PathMarking;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Folds a run of events into at most one change per route, so that the database sees each row once: the result is the
 * same as if every event had been applied by itself, whatever the run's length. Peer Downs come out as wipes, to be
 * applied before the changes.
 *
 * <p>An event of an older session than the change that is pending for its route is ignored. Not thread-safe.
 */
final class RouteFold {
    /** For {@link #peerDown}: every view of the peer. */
    static final int ALL_VIEWS = -1;

    static final byte[] NO_NLRI = {};

    private final Map<Integer, Map<RibKey, Change>> byPeer = new HashMap<>();
    private final Map<PeerView, Long> wipes = new LinkedHashMap<>();

    private record PeerView(int peer, int view) {}

    /** All routes of a peer, in one view or all, as far as they are of this session or an older one. */
    record Wipe(int peer, int view, long session) {}

    /** What becomes of one route. */
    static final class Change {
        /** False: it is withdrawn. */
        boolean present;
        /** Of the newest event. */
        long session = Long.MIN_VALUE;

        long attributesHigh;
        long attributesLow;
        int[] labels = Labels.NONE;
        /** See {@link PathMarking}. */
        long marking = PathMarking.NONE;
        /** The whole NLRI, of which the key may be a part; empty for prefixes. */
        byte[] nlri = NO_NLRI;
        /** When it was first announced, microseconds since 1970; counts if there is no row, or {@link #reborn}. */
        long firstAt;
        /** When it became what it is. */
        long changedAt;
        /** It was withdrawn and announced again within the run. */
        boolean reborn;
        /** It changed within the run, so it counts as changed even if it ends as what the row says. */
        boolean changed;

        private void announce(long session, long high, long low, int[] labels, byte[] nlri, long marking, long at) {
            if (!present) {
                firstAt = at;
                reborn = true;
            }
            if (!present
                    || high != attributesHigh
                    || low != attributesLow
                    || !Arrays.equals(labels, this.labels)
                    || !Arrays.equals(nlri, this.nlri)
                    || marking != this.marking) {
                changedAt = at;
                changed = true;
            }
            present = true;
            this.session = session;
            attributesHigh = high;
            attributesLow = low;
            this.labels = labels;
            this.nlri = nlri;
            this.marking = marking;
        }

        private void withdraw(long session) {
            present = false;
            this.session = session;
            labels = Labels.NONE;
            nlri = NO_NLRI;
            marking = PathMarking.NONE;
        }
    }

    /** @param nlri the whole NLRI, empty for a prefix */
    void announce(
            RibKey key,
            long session,
            long attributesHigh,
            long attributesLow,
            int[] labels,
            byte[] nlri,
            long marking,
            long at) {
        Map<RibKey, Change> changes = changesOf(key);
        Change change = changes.get(key);
        if (change == null) {
            change = new Change();
            change.announce(session, attributesHigh, attributesLow, labels, nlri, marking, at);
            change.reborn = false;
            change.changed = false;
            changes.put(key, change);
        } else if (session >= change.session) {
            change.announce(session, attributesHigh, attributesLow, labels, nlri, marking, at);
        }
    }

    void withdraw(RibKey key, long session) {
        Change change = changesOf(key).computeIfAbsent(key, k -> new Change());
        if (session >= change.session) {
            change.withdraw(session);
        }
    }

    /** @param view a view's code or {@link #ALL_VIEWS} */
    void peerDown(int peer, int view, long session) {
        Map<RibKey, Change> changes = byPeer.get(peer);
        if (changes != null) {
            changes.entrySet()
                    .removeIf(e -> (view == ALL_VIEWS || view == e.getKey().view()) && e.getValue().session <= session);
        }
        wipes.merge(new PeerView(peer, view), session, Math::max);
    }

    private Map<RibKey, Change> changesOf(RibKey key) {
        return byPeer.computeIfAbsent(key.peer(), peer -> new HashMap<>());
    }

    List<Wipe> wipes() {
        List<Wipe> list = new ArrayList<>(wipes.size());
        wipes.forEach((where, session) -> list.add(new Wipe(where.peer, where.view, session)));
        return list;
    }

    int size() {
        int size = 0;
        for (Map<RibKey, Change> changes : byPeer.values()) {
            size += changes.size();
        }
        return size;
    }

    void forEach(Visitor visitor) throws SQLException {
        for (Map<RibKey, Change> changes : byPeer.values()) {
            for (Map.Entry<RibKey, Change> entry : changes.entrySet()) {
                visitor.visit(entry.getKey(), entry.getValue());
            }
        }
    }

    @FunctionalInterface
    interface Visitor {
        void visit(RibKey key, Change change) throws SQLException;
    }
}
