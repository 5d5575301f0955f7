package dev.silkroute.live;

import dev.silkroute.live.Delivery.Cause;
import dev.silkroute.live.Delivery.Message;
import dev.silkroute.live.Delivery.Missed;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import dev.silkroute.route.VerdictCodes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Passes the messages of route batches and peer records to subscribers. A message is one group of a batch: the routes
 * of one BGP message that share their attributes, or one event of a peer or session. OPENs and NOTIFICATIONs are
 * messages, too: they come from the records of peers. Messages are numbered from 1; their positions are those of one
 * stream only, which {@link #id} identifies.
 *
 * <p>While there are no subscribers, a batch is only counted and kept for those that resume. Thread-safe: a lock is
 * held for one batch at a time, so the other methods may wait as long as it takes to match and encode the batches that
 * were published before, but never for a subscriber.
 */
public final class LiveStream {
    private final String id;
    private final LiveLimits limits;
    private final LiveCounters counters = new LiveCounters();
    /**
     * Fair: a lane that publishes batch after batch would otherwise take it again before a waiting subscriber has it.
     */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final FilterIndex index = new FilterIndex();
    private final RecentBatches recent;
    private final Map<Subscriber, Set<LiveFilter>> subscribers = new HashMap<>();
    /** Subscribers that miss messages of the batch which is being delivered; empty in between. */
    private final List<Subscriber> missing = new ArrayList<>();

    private long next = 1;

    /** @param id distinguishes the stream from those of other processes */
    public LiveStream(String id, LiveLimits limits) {
        this.id = id;
        this.limits = limits;
        recent = new RecentBatches(limits.recentBytes());
    }

    public String id() {
        return id;
    }

    public LiveCounters counters() {
        return counters;
    }

    /**
     * Publishes the messages of a batch, unless it was decoded again and does not describe the present.
     *
     * @param verdicts of the RPKI about each event
     */
    public void publish(RouteBatch batch, VerdictCodes verdicts) {
        if (batch.redecoded()) {
            return;
        }
        publish(new StreamBatch.Routes(batch, verdicts));
    }

    /**
     * Publishes the OPENs or the NOTIFICATION that a record of {@code bmp.peers} reports; other records have none.
     *
     * @throws IOException if the record is not JSON
     */
    public void publishPeerRecord(byte[] record) throws IOException {
        List<PeerMessage> messages = PeerMessage.of(record);
        if (!messages.isEmpty()) {
            publish(new StreamBatch.OfPeer(messages));
        }
    }

    /**
     * Publishes a change of an alert, for the subscribers whose filters have the type of alerts. Nobody receives a
     * record that is not valid; the lane that stores alerts puts it into quarantine.
     *
     * @param record of {@code bmp.alerts}
     */
    public void publishAlert(byte[] record) {
        publish(new StreamBatch.OfAlert(record));
    }

    private void publish(StreamBatch batch) {
        lock.lock();
        try {
            long first = next;
            next += batch.messages();
            counters.published.add(batch.messages());
            recent.add(first, batch);
            if (!index.isEmpty()) {
                deliver(first, batch, index, 0);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Delivers the messages of a batch that are after a position to the subscribers in an index. */
    private void deliver(long first, StreamBatch batch, FilterIndex filters, long after) {
        switch (batch) {
            case StreamBatch.Routes routes -> deliver(first, routes, filters, after);
            case StreamBatch.OfPeer messages -> deliver(first, messages.all(), filters, after);
            case StreamBatch.OfAlert(byte[] record) -> {
                if (filters.selectsAlerts()) {
                    AlertMessage.of(record).ifPresent(alert -> deliver(first, alert, filters));
                }
            }
        }
    }

    private static void deliver(long position, AlertMessage alert, FilterIndex filters) {
        Message delivery = Message.of(position, alert.json(), null);
        filters.subscribers(alert).forEach(subscriber -> subscriber.offer(delivery));
    }

    private void deliver(long first, List<PeerMessage> messages, FilterIndex filters, long after) {
        long position = first;
        for (PeerMessage message : messages) {
            filters.begin(message);
            if (position > after && !filters.found().isEmpty()) {
                counters.encoded.increment();
                Message delivery = Message.of(position, message.json(), null);
                filters.found().forEach(subscriber -> subscriber.offer(delivery));
            }
            position++;
        }
    }

    private void deliver(long first, StreamBatch.Routes routes, FilterIndex filters, long after) {
        RouteBatch batch = routes.batch();
        MessageView message = new MessageView(batch);
        RouteCursor events = batch.cursor();
        RouteCursor encoded = batch.cursor();
        encoded.next();
        long position = first;
        int index = 0;
        boolean more = events.next();
        while (more) {
            message.enter(events);
            filters.begin(message);
            int count = 0;
            do {
                if (message.kind().isRoute()) {
                    message.add(events.nlri());
                    filters.add(events.nlri(), message);
                }
                count++;
                more = events.next();
            } while (more && !events.startsGroup());
            boolean isNew = position > after;
            if (isNew && filters.found().stream().anyMatch(Subscriber::isReceiving)) {
                boolean includesRaw = filters.found().stream().anyMatch(Subscriber::includesRaw);
                byte[] raw = includesRaw ? RawUpdate.hex(message) : null;
                byte[] json = RisLiveJson.encode(message, encoded, index, count, routes.verdicts());
                counters.encoded.increment();
                Message delivery = Message.of(position, json, raw);
                filters.found().forEach(subscriber -> subscriber.offer(delivery));
            } else {
                for (int i = 0; i < count; i++) {
                    encoded.next();
                }
                if (isNew) {
                    for (Subscriber subscriber : filters.found()) {
                        if (subscriber.miss(position)) {
                            missing.add(subscriber);
                        }
                    }
                }
            }
            position++;
            index += count;
        }
        missing.forEach(Subscriber::countMissed);
        missing.clear();
    }

    /**
     * Adds a subscriber without filters, which receives nothing yet.
     *
     * @param wakeUp called on any thread when the subscriber has something to poll; must not block
     * @return null if there are too many subscribers
     */
    public @Nullable Subscriber subscribe(Runnable wakeUp) {
        lock.lock();
        try {
            if (subscribers.size() >= limits.subscribers()) {
                counters.rejected.increment();
                return null;
            }
            Subscriber subscriber = new Subscriber(limits.queueBytes(), counters, wakeUp);
            subscribers.put(subscriber, new HashSet<>());
            return subscriber;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds filters to a subscriber. It receives the messages that match any of its filters, each once.
     *
     * @return false if the subscriber would have too many filters; it has none of these then
     */
    public boolean add(Subscriber subscriber, List<LiveFilter> filters) {
        lock.lock();
        try {
            Set<LiveFilter> own = subscribers.get(subscriber);
            if (own == null) {
                return true; // it has left
            }
            Set<LiveFilter> all = new HashSet<>(own);
            all.addAll(filters);
            if (all.size() > limits.filters()) {
                return false;
            }
            for (LiveFilter filter : filters) {
                if (own.add(filter)) {
                    index.add(subscriber, filter);
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Removes filters of a subscriber; those that it does not have are ignored. */
    public void remove(Subscriber subscriber, List<LiveFilter> filters) {
        lock.lock();
        try {
            Set<LiveFilter> own = subscribers.get(subscriber);
            for (LiveFilter filter : filters) {
                if (own != null && own.remove(filter)) {
                    index.remove(subscriber, filter);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Adds filters to a new subscriber that has received messages before: it first receives those after them that are
     * still kept, or the notice how many are not.
     *
     * @param stream the {@link #id} of the stream that the subscriber has received
     * @param after the position of the last delivery that it has received
     * @return false if there are too many filters
     */
    public boolean resume(Subscriber subscriber, List<LiveFilter> filters, String stream, long after) {
        lock.lock();
        try {
            if (!add(subscriber, filters)) {
                return false;
            }
            if (!stream.equals(id) || after >= next || after < 0) {
                subscriber.missedBefore(new Missed(next - 1, 0, Cause.RESTARTED));
                return true;
            }
            long oldest = recent.oldest(next);
            if (oldest > after + 1) {
                subscriber.missedBefore(new Missed(oldest - 1, oldest - 1 - after, Cause.EXPIRED));
            }
            FilterIndex own = new FilterIndex();
            subscribers.getOrDefault(subscriber, Set.of()).forEach(filter -> own.add(subscriber, filter));
            subscriber.found = 0;
            recent.forEachAfter(after, (first, batch) -> deliver(first, batch, own, after));
            subscriber.found = 0;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Removes a subscriber, with its filters and its queue. */
    public void leave(Subscriber subscriber) {
        lock.lock();
        try {
            Set<LiveFilter> filters = subscribers.remove(subscriber);
            if (filters != null) {
                filters.forEach(filter -> index.remove(subscriber, filter));
                subscriber.close();
            }
        } finally {
            lock.unlock();
        }
    }

    public int subscriberCount() {
        lock.lock();
        try {
            return subscribers.size();
        } finally {
            lock.unlock();
        }
    }

    /** The size of all queues, where a message counts for each subscriber. */
    public long queuedBytes() {
        lock.lock();
        try {
            return subscribers.keySet().stream()
                    .mapToLong(Subscriber::queuedBytes)
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    /** The size of the batches that are kept for subscribers that resume. */
    public long recentBytes() {
        lock.lock();
        try {
            return recent.bytes();
        } finally {
            lock.unlock();
        }
    }
}
