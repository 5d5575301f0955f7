package dev.silkroute.component.replay;

/** Hears how a replay goes on. Called by the replaying thread, so what it does delays the replay. */
public interface ReplayListener {
    /** A chunk went through the whole route: so many bytes, in which so many BMP messages ended. */
    void sent(int bytes, int messages);

    /** The last call for a session, once. */
    void ended(ReplayEnd end);
}
