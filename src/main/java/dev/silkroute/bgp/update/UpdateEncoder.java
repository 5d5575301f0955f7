package dev.silkroute.bgp.update;

import dev.silkroute.bgp.attribute.AttributesEncoder;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.Family;

/**
 * Encodes UPDATE messages to a sink, field by field: {@link #begin}, withdrawn routes, {@link #attributes},
 * {@link #nlri}, routes, {@link #end}. {@link #ipv4} and {@link #raw} write NLRI into the current field. Other families
 * are attributes.
 *
 * <p>An encoder can write any number of messages. A message that becomes too long is rejected, by {@link #end} at the
 * latest, and removed from the sink; splitting is up to the caller. Not thread-safe.
 */
public final class UpdateEncoder {
    /** RFC 4271, Section 4.1. */
    public static final int MAX_LENGTH = 4096;
    /** RFC 8654, Section 3. */
    public static final int MAX_EXTENDED_LENGTH = 65535;

    private static final int TYPE_UPDATE = 2;
    private static final int HEADER = 19;

    private enum Field {
        NONE,
        WITHDRAWN,
        ATTRIBUTES,
        NLRI
    }

    private final ByteSink out;
    private final int maxLength;
    private final AttributesEncoder attributes;
    private Field field = Field.NONE;
    private int start;
    private int fieldStart;

    /** @param extendedMessages whether both sides have negotiated messages of up to 65,535 bytes (RFC 8654) */
    public UpdateEncoder(ByteSink out, boolean fourOctetAs, boolean extendedMessages) {
        this.out = out;
        this.maxLength = extendedMessages ? MAX_EXTENDED_LENGTH : MAX_LENGTH;
        this.attributes = new AttributesEncoder(out, fourOctetAs);
    }

    /** Begins a message; withdrawn IPv4 unicast routes may follow. */
    public UpdateEncoder begin() {
        step(Field.NONE, Field.WITHDRAWN);
        start = out.position();
        out.i64(-1).i64(-1).u16(0).u8(TYPE_UPDATE);
        open();
        return this;
    }

    /** Ends the withdrawn routes. The path attributes may follow. */
    public AttributesEncoder attributes() {
        step(Field.WITHDRAWN, Field.ATTRIBUTES);
        close("withdrawn routes");
        open();
        return attributes;
    }

    /** Ends the path attributes. IPv4 unicast routes may follow. */
    public UpdateEncoder nlri() {
        step(Field.ATTRIBUTES, Field.NLRI);
        attributes.end();
        close("path attributes");
        return this;
    }

    /** Adds a prefix to the current field. Bits after the length are not cleared within the last byte. */
    public UpdateEncoder ipv4(int address, int length) {
        if (field != Field.WITHDRAWN && field != Field.NLRI) {
            throw new IllegalStateException("no NLRI in " + field);
        }
        out.u8(length);
        for (int bits = 0; bits < length; bits += 8) {
            out.u8(address >>> 24 - bits);
        }
        return this;
    }

    /** Adds encoded NLRI. */
    public UpdateEncoder raw(Bytes nlri) {
        out.bytes(nlri);
        return this;
    }

    /**
     * Ends the message in any field and returns its length.
     *
     * @throws IllegalArgumentException if it is longer than the session permits; the sink is then as it was before the
     * message
     */
    public int end() {
        if (field == Field.WITHDRAWN) {
            attributes();
        }
        if (field == Field.ATTRIBUTES) {
            nlri();
        }
        step(Field.NLRI, Field.NONE);
        int length = out.position() - start;
        if (length > maxLength) {
            throw tooLong("UPDATE of " + length + " bytes, ");
        }
        out.patchU16(start + 16, length);
        return length;
    }

    /** Writes an End-of-RIB: an empty UPDATE for IPv4 unicast, else an empty MP_UNREACH_NLRI (RFC 4724, Section 2). */
    public int endOfRib(int family) {
        begin();
        if (family != Family.IPV4_UNICAST) {
            attributes().mpUnreach(family, Bytes.EMPTY);
        }
        return end();
    }

    private void step(Field from, Field to) {
        if (field != from) {
            throw new IllegalStateException(to + " after " + field);
        }
        field = to;
    }

    private void open() {
        fieldStart = out.position();
        out.u16(0);
    }

    private void close(String name) {
        int length = out.position() - fieldStart - 2;
        if (length > MAX_EXTENDED_LENGTH - HEADER) {
            throw tooLong(name + " of " + length + " bytes, ");
        }
        out.patchU16(fieldStart, length);
    }

    private IllegalArgumentException tooLong(String what) {
        field = Field.NONE;
        out.truncate(start);
        return new IllegalArgumentException(what + maxLength + " allowed for the whole message");
    }
}
