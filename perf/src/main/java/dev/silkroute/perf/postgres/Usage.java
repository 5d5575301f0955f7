package dev.silkroute.perf.postgres;

/**
 * What a turn cost.
 *
 * @param seconds until the last commit was answered
 * @param serverCpuSeconds of all processes of the server
 * @param clientCpuSeconds of this JVM, or of psql, all threads
 * @param walBytes logged by the server
 */
public record Usage(double seconds, double serverCpuSeconds, double clientCpuSeconds, long walBytes) {
    public Usage plus(Usage other) {
        return new Usage(
                seconds + other.seconds,
                serverCpuSeconds + other.serverCpuSeconds,
                clientCpuSeconds + other.clientCpuSeconds,
                walBytes + other.walBytes);
    }
}
