package dev.silkroute.chaos;

/** A process that can be killed and restarted. */
interface Victim {
    String name();

    /** Returns whether it is started and ready. */
    boolean isUp();

    /** Sends SIGKILL and waits for the end. */
    void kill();

    /** Starts it and waits until it is ready. */
    void start();
}
