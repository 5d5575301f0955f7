package dev.silkroute.component.pgpipe;

/** The form of the result of a statement, with the names of camel-sql. */
public enum OutputType {
    /** A list of maps, values by column. */
    SelectList,
    /** The only row, as a map, or of one column its value; null if there is no row. Several rows are an error. */
    SelectOne
}
