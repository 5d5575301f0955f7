package dev.silkroute.postgres.history;

/**
 * SQL that removes rows of {@code bmp.rib_route} and inserts a withdrawal for each into {@code bmp.route_event}. The
 * SQL function {@code bmp.synthetic_withdrawal} makes the rows; PostgreSQL inlines it.
 */
public final class SyntheticWithdrawals {
    private static final String OUTBOX_COLUMNS =
            "received_at, session_id, sequence, path_id, rd, peer_id, family, rib_view, prefix, ";
    private static final String OUTBOX_NLRI =
            "coalesce(nlri_as_text, CASE WHEN prefix IS NULL THEN bmp.nlri_text(family, rd, prefix, nlri) END) AS nlri";

    private SyntheticWithdrawals() {}

    /** SQL expressions for the event that caused the withdrawals. */
    public record Cause(String receivedAt, String session, String sequence) {}

    /**
     * Returns one statement.
     *
     * @param removed a common table expression that deletes the rows and returns them
     * @param from what follows FROM; it names the removed rows {@code r}
     * @param publish whether to insert the withdrawals into {@code bmp.withdrawal_outbox} too
     */
    public static String insert(String removed, String from, Cause cause, boolean publish) {
        String insert = "INSERT INTO bmp.route_event SELECT w.* FROM " + from
                + " CROSS JOIN LATERAL bmp.synthetic_withdrawal(" + cause.receivedAt + ", " + cause.session + ", "
                + cause.sequence + ", nullif(r.path_id, -1), CASE WHEN bmp.has_rd(r.family) THEN r.rd END, r.peer_id,"
                + " r.family, r.rib_view, CASE WHEN r.nlri = '' THEN r.prefix END,"
                + " CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, r.nlri_as_text) w";
        return publish
                ? "WITH " + removed + ", withdrawn AS (" + insert + " RETURNING " + OUTBOX_COLUMNS + OUTBOX_NLRI
                        + ") INSERT INTO bmp.withdrawal_outbox (" + OUTBOX_COLUMNS + "nlri) SELECT * FROM withdrawn"
                : "WITH " + removed + " " + insert;
    }
}
