package dev.silkroute.perf.framing;

/**
 * One arm's turn in one round.
 *
 * @param seconds from the word to send until the last record was acknowledged
 * @param cpuSeconds of the measured JVM meanwhile
 * @param brokerCpuSeconds of the broker's JVM meanwhile
 * @param bytes of all messages
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
