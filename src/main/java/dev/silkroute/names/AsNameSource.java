package dev.silkroute.names;

import java.util.Optional;

/** The newest names of autonomous systems. Thread-safe. */
@FunctionalInterface
public interface AsNameSource {
    /** No autonomous system has a name. */
    AsNameSource NONE = asn -> Optional.empty();

    /** Returns the name of an AS, unsigned, if it is known. */
    Optional<String> nameOf(long asn);
}
