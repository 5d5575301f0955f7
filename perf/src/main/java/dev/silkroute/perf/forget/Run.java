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
    static final String START = "ran ";

    /** As one line; {@link #parse} reads it. */
    String line() {
        return START + messages + " " + sendSeconds + " " + seconds + " " + cpuSeconds;
    }

    static Run parse(String line) {
        String[] values = line.split(" ");
        return new Run(
                Long.parseLong(values[1]),
                Double.parseDouble(values[2]),
                Double.parseDouble(values[3]),
                Double.parseDouble(values[4]));
    }

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
