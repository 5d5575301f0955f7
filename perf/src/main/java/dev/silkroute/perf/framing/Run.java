package dev.silkroute.perf.framing;

/**
 * The result of one collector in one round.
 *
 * @param seconds from the start signal until the last record was acknowledged
 * @param cpuSeconds of the measured JVM
 * @param brokerCpuSeconds of the broker's JVM
 * @param bytes the size of all messages
 */
record Run(double seconds, double cpuSeconds, double brokerCpuSeconds, long messages, long bytes, long records) {
    double messagesPerSecond() {
        return messages / seconds;
    }

    double bytesPerSecond() {
        return bytes / seconds;
    }

    double messagesPerRecord() {
        return (double) messages / records;
    }
}
