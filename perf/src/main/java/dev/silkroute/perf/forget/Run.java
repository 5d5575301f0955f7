package dev.silkroute.perf.forget;

/**
 * The result of one contender in one round.
 *
 * @param messages the messages sent, all of which arrived
 * @param sendSeconds until the last exchange succeeded
 * @param seconds until the last message arrived
 * @param cpuSeconds of the process, including the receiver
 */
record Run(long messages, double sendSeconds, double seconds, double cpuSeconds) {
    static final String START = "ran ";

    /** Returns the run as one line, the format of {@link #parse}. */
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

    /** Returns the rate without waiting for the messages to arrive. */
    double offered() {
        return messages / sendSeconds;
    }

    double cpuMicros() {
        return cpuSeconds * 1e6 / messages;
    }
}
