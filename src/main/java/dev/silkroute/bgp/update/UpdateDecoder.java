package dev.silkroute.bgp.update;

import static dev.silkroute.bgp.update.NlriSections.NLRI;
import static dev.silkroute.bgp.update.NlriSections.REACH;
import static dev.silkroute.bgp.update.NlriSections.UNREACH;
import static dev.silkroute.bgp.update.NlriSections.WITHDRAWN;

import dev.silkroute.bgp.Outcome;
import dev.silkroute.bgp.UpdateContext;
import dev.silkroute.bgp.attribute.AsNumberSize;
import dev.silkroute.bgp.attribute.Attribute;
import dev.silkroute.bgp.attribute.AttributeCode;
import dev.silkroute.bgp.attribute.AttributeFault;
import dev.silkroute.bgp.attribute.AttributeSetWriter;
import dev.silkroute.bgp.attribute.AttributeTable;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes UPDATE messages in place (RFC 4271, Section 4.3; RFC 4760) and judges them by RFC 7606.
 *
 * <p>The routes of a message lie in up to four NLRI fields, here called sections, in the order in which they are to be
 * applied: withdrawn routes, MP_UNREACH_NLRI, NLRI, MP_REACH_NLRI. Every NLRI of every section has been validated when
 * {@link #decode} returns.
 *
 * <p>One per session, used again for each message; not thread-safe. The array must not change until the message is done
 * with. Nothing is allocated for a message without faults.
 */
public final class UpdateDecoder {
    private static final String HEADER_SECTION = "RFC 4271, Section 4.1";
    private static final String UPDATE_SECTION = "RFC 4271, Section 4.3";
    private static final String MP_SECTION = "RFC 7606, Section 5.3";
    private static final int HEADER = 19;
    private static final int TYPE_UPDATE = 2;
    /** A message can hold thousands of faults; the first ones tell enough. */
    private static final int MAX_OUTCOMES = 32;

    private final AttributeTable table = new AttributeTable();
    private final NlriSections nlri = new NlriSections();
    private byte[] bytes = new byte[0];
    private boolean endOfRib;
    private int endOfRibFamily;
    private boolean treatAsWithdraw;
    private boolean fourOctetAs;
    private List<Outcome> outcomes = List.of();

    /**
     * Decodes the BGP message {@code from..to}, its 19-byte header included. Bytes after the length that the header
     * says are an outcome.
     *
     * @throws DecodeException for what must be quarantined: no UPDATE, or RFC 7606 would reset the session
     */
    public void decode(byte[] b, int from, int to, UpdateContext context) {
        clear(b);
        int end = header(b, from, to);
        int at = from + HEADER;
        int withdrawnEnd = field(b, at, end, "withdrawn routes run over the end of the message");
        int attributesEnd = field(b, withdrawnEnd, end, "path attributes run over the end of the message");
        nlri.set(WITHDRAWN, Family.IPV4_UNICAST, at + 2, withdrawnEnd);
        nlri.set(NLRI, Family.IPV4_UNICAST, attributesEnd, end);
        if (end - from == HEADER + 4) {
            endOfRib = true;
            endOfRibFamily = Family.IPV4_UNICAST;
            return;
        }
        boolean overrun = !attributes(b, withdrawnEnd + 2, attributesEnd);
        if (isMultiprotocolEndOfRib(overrun)) {
            endOfRib = true;
            endOfRibFamily = nlri.familyOf(UNREACH);
            return;
        }
        asNumbers(b, context);
        if (overrun && nlri.areEmpty()) {
            throw new DecodeException(
                    "path attributes overrun and no NLRI was located", attributesEnd, AttributeFault.OVERRUN.section());
        }
        mandatory(attributesEnd);
        nlri.read(b, context);
    }

    private void clear(byte[] b) {
        bytes = b;
        table.clear();
        nlri.clear();
        endOfRib = false;
        endOfRibFamily = 0;
        treatAsWithdraw = false;
        fourOctetAs = true;
        outcomes = List.of();
    }

    private int header(byte[] b, int from, int to) {
        if (to - from < HEADER) {
            throw new DecodeException("no whole BGP header", from, HEADER_SECTION);
        }
        if (BigEndian.i64(b, from) != -1L || BigEndian.i64(b, from + 8) != -1L) {
            throw new DecodeException("BGP marker is not all ones", from, HEADER_SECTION);
        }
        int type = BigEndian.u8(b, from + 18);
        if (type != TYPE_UPDATE) {
            throw new DecodeException(
                    "BGP message of type " + type + " is no UPDATE", from + 18, "RFC 7854, Section 4.6");
        }
        int length = BigEndian.u16(b, from + 16);
        if (length < HEADER + 4 || length > to - from) {
            throw new DecodeException(
                    "BGP length " + length + " with " + (to - from) + " bytes there", from + 16, HEADER_SECTION);
        }
        int end = from + length;
        if (end < to) {
            report(new Outcome(
                    Outcome.Kind.TRAILING_BYTES,
                    -1,
                    (to - end) + " bytes follow the BGP message",
                    end,
                    HEADER_SECTION));
        }
        return end;
    }

    /** The end of a field that begins with its u16 length. */
    private static int field(byte[] b, int at, int end, String overrun) {
        if (end - at < 2) {
            throw new DecodeException("message ends within a length", at, UPDATE_SECTION);
        }
        int fieldEnd = at + 2 + BigEndian.u16(b, at);
        if (fieldEnd > end) {
            throw new DecodeException(overrun, at, UPDATE_SECTION);
        }
        return fieldEnd;
    }

    /** One pass over the path attributes; false if one overran the field, which ends the pass. */
    private boolean attributes(byte[] b, int from, int to) {
        int at = from;
        while (at < to) {
            int header = (b[at] & AttributeCode.FLAG_EXTENDED_LENGTH) != 0 ? 4 : 3;
            if (to - at < header) {
                return overrun(at);
            }
            int flags = BigEndian.u8(b, at);
            int type = BigEndian.u8(b, at + 1);
            int value = at + header;
            int end = value + (header == 4 ? BigEndian.u16(b, at + 2) : BigEndian.u8(b, at + 2));
            if (end > to) {
                return overrun(at);
            }
            if (table.seen(type)) {
                duplicate(type, value);
            } else {
                table.put(type, flags, value, end);
                attribute(b, type, flags, value, end);
            }
            at = end;
        }
        return true;
    }

    private boolean overrun(int at) {
        fault(AttributeFault.OVERRUN, -1, at);
        return false;
    }

    private void duplicate(int type, int at) {
        if (type == AttributeCode.MP_REACH_NLRI || type == AttributeCode.MP_UNREACH_NLRI) {
            throw new DecodeException(
                    "second MP_REACH_NLRI or MP_UNREACH_NLRI", at, AttributeFault.DUPLICATE.section());
        }
        fault(AttributeFault.DUPLICATE, type, at);
    }

    private void attribute(byte[] b, int type, int flags, int from, int to) {
        if (type == AttributeCode.MP_REACH_NLRI) {
            reach(b, from, to);
        } else if (type == AttributeCode.MP_UNREACH_NLRI) {
            unreach(b, from, to);
        }
        AttributeFault fault = Attribute.check(type, flags, b, from, to);
        if (fault == AttributeFault.UNRECOGNIZED_WELL_KNOWN) {
            fault(fault, type, from);
        } else if (fault != null) {
            discard(fault, type);
        }
    }

    private void reach(byte[] b, int from, int to) {
        if (to - from < 5) {
            throw new DecodeException("MP_REACH_NLRI is shorter than 5 bytes", from, MP_SECTION);
        }
        int family = Family.of(BigEndian.u16(b, from), BigEndian.u8(b, from + 2));
        int length = BigEndian.u8(b, from + 3);
        // One reserved byte follows the next hop (RFC 4760, Section 3).
        if (5 + length > to - from) {
            throw new DecodeException("next hop runs over the end of MP_REACH_NLRI", from + 3, MP_SECTION);
        }
        if (!NextHop.lengthFits(family, length)) {
            throw new DecodeException(
                    "next hop of " + length + " bytes for " + Family.text(family), from + 3, "RFC 7606, Section 7.11");
        }
        nlri.set(REACH, family, from + 5 + length, to);
    }

    private void unreach(byte[] b, int from, int to) {
        if (to - from < 3) {
            throw new DecodeException("MP_UNREACH_NLRI is shorter than 3 bytes", from, MP_SECTION);
        }
        nlri.set(UNREACH, Family.of(BigEndian.u16(b, from), BigEndian.u8(b, from + 2)), from + 3, to);
    }

    /** RFC 4724, Section 2: nothing but an MP_UNREACH_NLRI without routes. */
    private boolean isMultiprotocolEndOfRib(boolean overrun) {
        return !overrun && table.count() == 1 && table.seen(AttributeCode.MP_UNREACH_NLRI) && nlri.areEmpty();
    }

    private void asNumbers(byte[] b, UpdateContext context) {
        boolean expectFour = context.fourOctetAs();
        fourOctetAs = AsNumberSize.isFour(b, table, expectFour);
        if (fourOctetAs != expectFour) {
            context.asSizeMismatch();
            report(new Outcome(
                    Outcome.Kind.AS_SIZE_MISMATCH,
                    AttributeCode.AS_PATH,
                    fourOctetAs ? "four-octet AS numbers not expected" : "two-octet AS numbers not expected",
                    table.from(AttributeCode.AS_PATH),
                    "RFC 7854, Section 4.2"));
        }
        if (table.has(AttributeCode.AS_PATH)) {
            AttributeFault fault = AsNumberSize.check(b, table, fourOctetAs);
            if (fault != null) {
                discard(fault, AttributeCode.AS_PATH);
            }
        }
        if (table.has(AttributeCode.AGGREGATOR) && table.length(AttributeCode.AGGREGATOR) != (fourOctetAs ? 8 : 6)) {
            discard(Attribute.AGGREGATOR.malformed(), AttributeCode.AGGREGATOR);
        }
    }

    /** What announcements must have. LOCAL_PREF is not asked for: not every view and session has it. */
    private void mandatory(int offset) {
        if (nlri.isEmpty(NLRI) && nlri.isEmpty(REACH)) {
            return;
        }
        if (!table.seen(AttributeCode.ORIGIN)) {
            fault(AttributeFault.MISSING_ORIGIN, AttributeCode.ORIGIN, offset);
        }
        if (!table.seen(AttributeCode.AS_PATH)) {
            fault(AttributeFault.MISSING_AS_PATH, AttributeCode.AS_PATH, offset);
        }
        if (!nlri.isEmpty(NLRI) && !table.seen(AttributeCode.NEXT_HOP)) {
            fault(AttributeFault.MISSING_NEXT_HOP, AttributeCode.NEXT_HOP, offset);
        }
    }

    private void discard(AttributeFault fault, int type) {
        table.discard(type);
        fault(fault, type, table.from(type));
    }

    private void fault(AttributeFault fault, int type, int offset) {
        treatAsWithdraw |= fault.kind() == Outcome.Kind.TREAT_AS_WITHDRAW;
        report(fault.outcome(type, offset));
    }

    private void report(Outcome outcome) {
        if (outcomes.isEmpty()) {
            outcomes = new ArrayList<>();
        }
        if (outcomes.size() < MAX_OUTCOMES) {
            outcomes.add(outcome);
        }
    }

    /** Whether the message ends the initial dump of a family (RFC 4724, Section 2); it then has no sections. */
    public boolean endOfRib() {
        return endOfRib;
    }

    public int endOfRibFamily() {
        return endOfRibFamily;
    }

    public int sections() {
        return nlri.count();
    }

    /** False if the section withdraws, as every section does after treat-as-withdraw. */
    public boolean announces(int section) {
        return !treatAsWithdraw && nlri.announces(section);
    }

    /** Whether the NLRI have the form of announcements, label stacks above all; so after treat-as-withdraw too. */
    public boolean announcedForm(int section) {
        return nlri.announces(section);
    }

    public int family(int section) {
        return nlri.familyOf(nlri.field(section));
    }

    public boolean addPath(int section) {
        return nlri.addPath(section);
    }

    public int from(int section) {
        return nlri.from(section);
    }

    public int to(int section) {
        return nlri.to(section);
    }

    /** Number of NLRI in the section. */
    public int count(int section) {
        return nlri.count(section);
    }

    /** Appends the canonical attribute set of an announcing section; its layout is {@link AttributeSetWriter}'s. */
    public void writeAttributes(int section, ByteSink out) {
        AttributeSetWriter.write(bytes, table, fourOctetAs, nlri.field(section) == REACH, out);
    }

    /** The AS number size that AS_PATH really has. */
    public boolean fourOctetAs() {
        return fourOctetAs;
    }

    /**
     * Whether the path identifiers were read in another way than the OPENs agree on: {@code PATH_IDENTIFIERS_…}, null
     * if not. No {@link #outcomes outcome}, because where it happens it happens with every message.
     */
    public Outcome.@Nullable Kind departure() {
        return nlri.departure();
    }

    /** What was wrong with the message, at most the first 32; empty if nothing was. Valid until the next decode. */
    public List<Outcome> outcomes() {
        return outcomes;
    }
}
