package dev.silkroute.component.replay;

/** Is notified of the progress of a replay, on the replaying thread, so its work delays the replay. */
public interface ReplayListener {
    /**
     * Called when the route has processed a chunk.
     *
     * @param bytes the length of the chunk
     * @param messages the number of BMP messages that ended in it
     */
    void sent(int bytes, int messages);

    /** Called once, after all other calls for a session. */
    void ended(ReplayEnd end);
}
