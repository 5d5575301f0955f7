package dev.silkroute.component.pgpipe;

/** What becomes of the rows of a statement. The names are those of camel-sql. */
public enum OutputType {
    /** A list of maps, values by column. */
    SelectList,
    /** The only row, as a map, or of one column its value; null if there is none. Several rows are an error. */
    SelectOne
}
