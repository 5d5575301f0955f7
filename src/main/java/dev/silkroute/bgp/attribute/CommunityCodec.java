package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.Nullable;

/** The text of the six bytes after type and sub-type, both ways. */
interface CommunityCodec {

    /** @return null if the bytes say more than the text could */
    @Nullable
    String text(long value);

    /** @throws IllegalArgumentException if the text is none of this codec's */
    long parse(String text);
}
