package dev.silkroute.postgres;

/** Withdrawals that the station makes, as rows of {@code bmp.route_event} from rows {@code r} of {@code bmp.rib_route}. */
final class SyntheticRows {
    static final String COLUMNS =
            "received_at, router_time, session_id, sequence, path_id, rd, peer_id, family, rib_view,"
                    + " action, synthetic, attr, prefix, nlri, labels, nlri_as_text, path_status, path_reason";

    private SyntheticRows() {}

    /** The values of {@link #COLUMNS}; the arguments are SQL for those of the event that caused the withdrawal. */
    static String values(String receivedAt, String session, String sequence) {
        return receivedAt + ", NULL::timestamptz, " + session + ", " + sequence + ", nullif(r.path_id, -1),"
                + " CASE WHEN bmp.has_rd(r.family) THEN r.rd END, r.peer_id, r.family, r.rib_view, 0, true, NULL::uuid,"
                + " CASE WHEN r.nlri = '' THEN r.prefix END,"
                + " CASE WHEN r.nlri <> '' THEN coalesce(r.long_nlri, r.nlri) END, NULL::integer[], r.nlri_as_text,"
                + " NULL::bigint, NULL::integer";
    }
}
