package dev.silkroute.chaos;

/** A process that may be killed and comes back. */
interface Victim {
    String name();

    /** Whether it has been started and serves. */
    boolean isUp();

    /** SIGKILL; returns when it is gone. */
    void kill();

    /** Starts it and returns when it serves. */
    void start();
}
