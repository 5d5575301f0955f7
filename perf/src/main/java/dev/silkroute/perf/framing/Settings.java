package dev.silkroute.perf.framing;

import dev.silkroute.session.SessionConfig;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** The settings of all arms: the station's default bounds, in bytes, and the numbering of sessions. Thread-safe. */
final class Settings {
    private final SessionConfig config = new SessionConfig("perf", 20_000);
    private final AtomicLong ids = new AtomicLong(1);

    SessionConfig config() {
        return config;
    }

    /** Longest BMP message. */
    int frame() {
        return 1 << 20;
    }

    /** Maximum bytes of a session between socket and Kafka. */
    int session() {
        return 4 << 20;
    }

    /** Maximum bytes of all sessions together. */
    long budget() {
        return 128L << 20;
    }

    /** At this size, in bytes, the station sends a batch although others are pending. */
    int batch() {
        return 1 << 20;
    }

    long nextId() {
        return ids.getAndIncrement();
    }

    /** Microseconds since 1970. */
    static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1000;
    }
}
