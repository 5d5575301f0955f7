package dev.silkroute.alert.record;

/** The change of an alert that a record reports. */
public enum AlertEvent {
    /** Enough vantage points see the condition. */
    OPENED("opened"),
    /** The alert has been open for another notification interval. */
    REPEATED("repeated"),
    /** Too few vantage points see the condition. */
    CLOSED("closed");

    private final String text;

    AlertEvent(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
