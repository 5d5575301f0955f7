package dev.silkroute.bgp.attribute;

import dev.silkroute.net.JsonText;

/** A registered TLV: its name and how its value reads. */
record TlvKind(String name, Fields fields) {

    /**
     * Writes the fields of a value into a JSON object that is open; writes nothing and says false if the value has not
     * its form.
     */
    @FunctionalInterface
    interface Fields {
        boolean write(byte[] b, int from, int to, JsonText json);
    }

    /** A TLV that has a name and stays hex. */
    static TlvKind named(String name) {
        return new TlvKind(name, (b, from, to, json) -> false);
    }
}
