package dev.silkroute.perf.pipeline;

/**
 * One way to do a task.
 *
 * @param group what its place in the table is
 */
record Way(Task task, Group group, String name, Operation operation) {
    /** The role of a way among those of its task. */
    enum Group {
        OURS,
        SEQUENTIAL,
        BEST
    }

    /** Does the task once. */
    @FunctionalInterface
    interface Operation {
        /** @return the sum of the values that it found */
        long run(long number) throws Exception;
    }
}
