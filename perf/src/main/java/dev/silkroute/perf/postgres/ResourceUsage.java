package dev.silkroute.perf.postgres;

/**
 * The resources used by a turn.
 *
 * @param seconds until the last commit was acknowledged
 * @param serverCpuSeconds of all processes of the server
 * @param clientCpuSeconds of this JVM, or of psql, all threads
 * @param walBytes the write-ahead log of the server
 */
public record ResourceUsage(double seconds, double serverCpuSeconds, double clientCpuSeconds, long walBytes) {
    public ResourceUsage plus(ResourceUsage other) {
        return new ResourceUsage(
                seconds + other.seconds,
                serverCpuSeconds + other.serverCpuSeconds,
                clientCpuSeconds + other.clientCpuSeconds,
                walBytes + other.walBytes);
    }
}
