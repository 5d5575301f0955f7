package dev.silkroute.postgres.pipeline;

/** A comment of SQL in slashes and asterisks, which may hold further ones. */
public final class BlockComment {
    private BlockComment() {}

    /**
     * Where it ends.
     *
     * @param from where it begins
     * @return behind its last character; the end of the text if it doesn't end
     */
    public static int end(String sql, int from) {
        int depth = 0;
        int at = from;
        while (at < sql.length()) {
            if (sql.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (sql.startsWith("*/", at)) {
                depth--;
                at += 2;
                if (depth == 0) {
                    return at;
                }
            } else {
                at++;
            }
        }
        return sql.length();
    }
}
