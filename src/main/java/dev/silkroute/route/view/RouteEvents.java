package dev.silkroute.route.view;

import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.VerdictCodes;
import dev.silkroute.route.view.RouteEvent.Header;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the events of a batch as objects, which share the objects of their source, peer and attribute set. It
 * allocates for each event: code on the hot paths uses {@link RouteCursor}. Not thread-safe.
 */
public final class RouteEvents implements Iterator<RouteEvent> {
    private final RouteBatch batch;
    private final RouteCursor cursor;
    private final EventSource source;
    private final @Nullable EventPeer[] peers;
    private final @Nullable EventAttributes[] attributes;
    private final VerdictCodes verdicts;
    private int index;
    private boolean hasNext;

    public RouteEvents(RouteBatch batch, VerdictCodes verdicts) {
        this.batch = batch;
        this.verdicts = verdicts;
        cursor = batch.cursor();
        source = EventSource.of(batch);
        peers = new EventPeer[batch.peerCount()];
        attributes = new EventAttributes[batch.attributeSetCount()];
        hasNext = cursor.next();
    }

    @Override
    public boolean hasNext() {
        return hasNext;
    }

    @Override
    public RouteEvent next() {
        if (!hasNext) {
            throw new NoSuchElementException();
        }
        RouteEvent event = event();
        hasNext = cursor.next();
        index++;
        return event;
    }

    private RouteEvent event() {
        Header header = new Header(
                cursor.kind(),
                cursor.sequence(),
                cursor.routerTimeMicros(),
                cursor.synthetic(),
                cursor.isTableDump(),
                cursor.coversAllViews(),
                batch.redecoded());
        EventRoute route = cursor.kind().isRoute()
                ? EventRoute.of(
                        cursor.family(), cursor.nlri(), batch.bytes(), cursor.marking(), verdicts.verdicts(index))
                : null;
        return new RouteEvent(
                header, source, peer(cursor.peerIndex()), cursor.family(), route, attributes(cursor.attributeSet()));
    }

    private @Nullable EventPeer peer(int index) {
        if (index < 0) {
            return null;
        }
        EventPeer known = peers[index];
        if (known == null) {
            known = EventPeer.of(batch.peer(index));
            peers[index] = known;
        }
        return known;
    }

    private @Nullable EventAttributes attributes(int index) {
        if (index < 0) {
            return null;
        }
        EventAttributes known = attributes[index];
        if (known == null) {
            known = EventAttributes.decode(batch.bytes(), batch.attributesFrom(index), batch.attributesTo(index));
            attributes[index] = known;
        }
        return known;
    }
}
