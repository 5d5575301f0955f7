package dev.silkroute.postgres.history;

/** Withdrawals that the station makes, as rows of {@code bmp.route_event} from rows {@code r} of {@code bmp.rib_route}. */
public final class SyntheticRows {
    private static final String COLUMNS =
            "received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view,"
                    + " action, synthetic, attribute_hash, prefix, nlri, labels, nlri_as_text, path_status, path_reason";
    private static final String OUTBOX =
            "received_at, session_id, sequence, path_id, rd, peer_id, family, rib_view, prefix, ";
    private static final String TEXT =
            "coalesce(nlri_as_text, CASE WHEN prefix IS NULL THEN bmp.nlri_text(family, rd, prefix, nlri) END) AS nlri";

    private SyntheticRows() {}

    /**
     * One statement that makes them.
     *
     * @param gone a common table expression: the rows that are removed
     * @param from what follows FROM
     * @param values from {@link #values}
     * @param told also into {@code bmp.withdrawal_outbox}
     */
    public static String insert(String gone, String values, String from, boolean told) {
        String insert = "INSERT INTO bmp.route_event (" + COLUMNS + ") SELECT " + values + " FROM " + from;
        return told
                ? "WITH " + gone + ", told AS (" + insert + " RETURNING " + OUTBOX + TEXT
                        + ") INSERT INTO bmp.withdrawal_outbox (" + OUTBOX + "nlri) SELECT * FROM told"
                : "WITH " + gone + " " + insert;
    }

    /** The values of a row; the arguments are SQL for those of the event that caused the withdrawal. */
    public static String values(String receivedAt, String session, String sequence) {
        return receivedAt + ", NULL::timestamptz, " + session + ", " + sequence + ", nullif(r.path_id, -1),"
                + " CASE WHEN bmp.has_rd(r.family) THEN r.rd END, r.peer_id, r.family, r.rib_view, 0, true, NULL::uuid,"
                + " CASE WHEN r.nlri = '' THEN r.prefix END,"
                + " CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, NULL::integer[], r.nlri_as_text,"
                + " NULL::bigint, NULL::integer";
    }
}
