package dev.silkroute.rpki.rtr;

/** An Error Report of the cache, which ends the connection and is not answered (RFC 8210, Section 5.11). */
public final class CacheErrorException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_TEXT = 200;

    private final ErrorCode code;

    CacheErrorException(Pdu.ErrorReport report) {
        super("the cache reported " + report.code().text() + " (" + report.number() + ")"
                + (report.text().isEmpty() ? "" : ": " + printable(report.text())));
        code = report.code();
    }

    /** Returns the beginning of a text from the network without characters that could forge a line of the log. */
    private static String printable(String text) {
        String beginning = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "…" : text;
        return beginning.replaceAll("[\\p{Cntrl}\\p{Zl}\\p{Zp}\\p{Cf}]", " ");
    }

    public ErrorCode code() {
        return code;
    }
}
