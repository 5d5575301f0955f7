package dev.silkroute.bgp.update;

import static dev.silkroute.bgp.update.NlriSections.NLRI;
import static dev.silkroute.bgp.update.NlriSections.REACH;
import static dev.silkroute.bgp.update.NlriSections.UNREACH;
import static dev.silkroute.bgp.update.NlriSections.WITHDRAWN;

import dev.silkroute.bgp.DecodeOutcome;
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
 * Decodes UPDATE messages in place (RFC 4271, Section 4.3; RFC 4760) and handles their faults as RFC 7606 requires.
 *
 * <p>The routes of a message are in up to four NLRI fields, here called sections, in the order in which they are
 * applied: withdrawn routes, MP_UNREACH_NLRI, NLRI, MP_REACH_NLRI. Every NLRI of every section has been validated when
 * {@link #decode} returns.
 *
 * <p>A session has one decoder and reuses it for each message; not thread-safe. The array must not change until the
 * message is processed. A message without faults causes no allocation.
 */
public final class UpdateDecoder {
    private static final int HEADER = 19;
    private static final int TYPE_UPDATE = 2;
    /** A message can contain thousands of faults; the first ones are enough to find the cause. */
    private static final int MAX_OUTCOMES = 32;

    private final AttributeTable table = new AttributeTable();
    private final NlriSections nlri = new NlriSections();
    private byte[] bytes = new byte[0];
    private boolean endOfRib;
    private int endOfRibFamily;
    private boolean treatAsWithdraw;
    private boolean fourOctetAs;
    private List<DecodeOutcome> outcomes = List.of();

    /**
     * Decodes the BGP message {@code from..to} with its 19-byte header. Bytes after the length in the header are an
     * outcome.
     *
     * @throws DecodeException for a message to be quarantined: not an UPDATE, or RFC 7606 requires a session reset
     */
    public void decode(byte[] b, int from, int to, UpdateContext context) {
        clear(b);
        int end = header(b, from, to);
        int at = from + HEADER;
        int withdrawnEnd = field(b, at, end, UpdateFault.WITHDRAWN_ROUTES);
        int attributesEnd = field(b, withdrawnEnd, end, UpdateFault.PATH_ATTRIBUTES);
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
            throw UpdateFault.NO_NLRI.at(attributesEnd);
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
            throw UpdateFault.HEADER.at(from);
        }
        if (BigEndian.i64(b, from) != -1L || BigEndian.i64(b, from + 8) != -1L) {
            throw UpdateFault.MARKER.at(from);
        }
        int type = BigEndian.u8(b, from + 18);
        if (type != TYPE_UPDATE) {
            throw UpdateFault.TYPE.at(from + 18, type);
        }
        int length = BigEndian.u16(b, from + 16);
        if (length < HEADER + 4 || length > to - from) {
            throw UpdateFault.LENGTH.at(from + 16, length, to - from);
        }
        int end = from + length;
        if (end < to) {
            report(new DecodeOutcome(
                    DecodeOutcome.Kind.TRAILING_BYTES,
                    -1,
                    (to - end) + " bytes follow the BGP message",
                    end,
                    UpdateFault.LENGTH.description().section()));
        }
        return end;
    }

    /** Returns the end of a field that begins with its u16 length. */
    private static int field(byte[] b, int at, int end, UpdateFault overrun) {
        if (end - at < 2) {
            throw UpdateFault.FIELD_LENGTH.at(at);
        }
        int fieldEnd = at + 2 + BigEndian.u16(b, at);
        if (fieldEnd > end) {
            throw overrun.at(at);
        }
        return fieldEnd;
    }

    /** Reads the path attributes; returns false if one runs over the end of the field, which ends the pass. */
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
            throw UpdateFault.SECOND_MP.at(at);
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
            throw UpdateFault.SHORT_MP_REACH.at(from);
        }
        int family = Family.of(BigEndian.u16(b, from), BigEndian.u8(b, from + 2));
        int length = BigEndian.u8(b, from + 3);
        // One reserved byte follows the next hop (RFC 4760, Section 3).
        if (5 + length > to - from) {
            throw UpdateFault.NEXT_HOP_OVERRUN.at(from + 3);
        }
        if (!NextHop.lengthFits(family, length)) {
            throw UpdateFault.NEXT_HOP_LENGTH.at(from + 3, length, Family.text(family));
        }
        nlri.set(REACH, family, from + 5 + length, to);
    }

    private void unreach(byte[] b, int from, int to) {
        if (to - from < 3) {
            throw UpdateFault.SHORT_MP_UNREACH.at(from);
        }
        nlri.set(UNREACH, Family.of(BigEndian.u16(b, from), BigEndian.u8(b, from + 2)), from + 3, to);
    }

    /** Returns whether the message consists of an MP_UNREACH_NLRI without routes (RFC 4724, Section 2). */
    private boolean isMultiprotocolEndOfRib(boolean overrun) {
        return !overrun && table.count() == 1 && table.seen(AttributeCode.MP_UNREACH_NLRI) && nlri.areEmpty();
    }

    private void asNumbers(byte[] b, UpdateContext context) {
        boolean expectFour = context.fourOctetAs();
        fourOctetAs = AsNumberSize.isFour(b, table, expectFour);
        if (fourOctetAs != expectFour) {
            context.asSizeMismatch();
            report(new DecodeOutcome(
                    DecodeOutcome.Kind.AS_SIZE_MISMATCH,
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

    /**
     * Checks the attributes that announcements must have. LOCAL_PREF is not required, because not every view and
     * session has it.
     */
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
        treatAsWithdraw |= fault.kind() == DecodeOutcome.Kind.TREAT_AS_WITHDRAW;
        report(fault.outcome(type, offset));
    }

    private void report(DecodeOutcome outcome) {
        if (outcomes.isEmpty()) {
            outcomes = new ArrayList<>();
        }
        if (outcomes.size() < MAX_OUTCOMES) {
            outcomes.add(outcome);
        }
    }

    /** Returns whether the message is an End-of-RIB (RFC 4724, Section 2), which has no sections. */
    public boolean endOfRib() {
        return endOfRib;
    }

    public int endOfRibFamily() {
        return endOfRibFamily;
    }

    public int sections() {
        return nlri.count();
    }

    /** Returns whether the section announces; false for all sections after treat-as-withdraw. */
    public boolean announces(int section) {
        return !treatAsWithdraw && nlri.announces(section);
    }

    /**
     * Returns whether the NLRI have the form of announcements, in particular label stacks; also after
     * treat-as-withdraw.
     */
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

    /** Returns the number of NLRI in the section. */
    public int count(int section) {
        return nlri.count(section);
    }

    /** Appends the canonical attribute set of an announcing section in the layout of {@link AttributeSetWriter}. */
    public void writeAttributes(int section, ByteSink out) {
        AttributeSetWriter.write(bytes, table, fourOctetAs, nlri.field(section) == REACH, out);
    }

    /** Returns the AS number size of AS_PATH: true for four octets. */
    public boolean fourOctetAs() {
        return fourOctetAs;
    }

    /**
     * Returns whether the path identifiers were read against the negotiation, as {@code PATH_IDENTIFIERS_…}; null if
     * not. This is not an {@link #outcomes outcome}, because it applies to every message of the peer.
     */
    public DecodeOutcome.@Nullable Kind departure() {
        return nlri.departure();
    }

    /** Returns the faults of the message, at most the first 32. Valid until the next decode. */
    public List<DecodeOutcome> outcomes() {
        return outcomes;
    }
}
