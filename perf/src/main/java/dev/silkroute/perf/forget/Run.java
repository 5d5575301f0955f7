package dev.silkroute.perf.forget;

/**
 * A contender's turn in one round.
 *
 * @param messages sent, all of which arrived
 * @param sendSeconds until the sender was told of the last that all is well
 * @param seconds until the last arrived
 * @param cpuSeconds of the process meanwhile, the sink in it
 */
record Run(long messages, double sendSeconds, double seconds, double cpuSeconds) {
    double delivered() {
        return messages / seconds;
    }

    /** What one would publish who does not wait for the messages to arrive. */
    double offered() {
        return messages / sendSeconds;
    }

    double cpuMicros() {
        return cpuSeconds * 1e6 / messages;
    }
}
