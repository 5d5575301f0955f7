package dev.silkroute.perf.station;

/**
 * Resident memory of the station's JVM, of the Kafka broker, and of all processes of PostgreSQL, in MiB.
 *
 * @param postgres the processes' own memory, and the shared buffers once: as much of them as one process has used
 */
public record MemoryUse(double station, double kafka, double postgres) {
    public double total() {
        return station + kafka + postgres;
    }
}
