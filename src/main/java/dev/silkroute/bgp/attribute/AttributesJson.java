package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.Attribute.Fields;
import dev.silkroute.net.Hex;
import java.io.IOException;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Writes an attribute set as a JSON object from which every byte can be restored. Absent attributes have no field;
 * fields are in the order of {@code docs/reference/attributes.md}, which describes them.
 */
final class AttributesJson {
    private final PathAttributes set;
    private final boolean outermost;
    private final IntPredicate omitted;
    private final JsonGenerator json;

    private AttributesJson(PathAttributes set, boolean outermost, IntPredicate omitted, JsonGenerator json) {
        this.set = set;
        this.outermost = outermost;
        this.omitted = omitted;
        this.json = json;
    }

    /** @param omitted types to leave out; NEXT_HOP stands for the addresses, from whichever attribute they are */
    static void write(PathAttributes set, IntPredicate omitted, JsonGenerator json) throws IOException {
        new AttributesJson(set, true, omitted, json).write();
    }

    /** Writes the set of an ATTR_SET; an ATTR_SET within it stays hex. */
    static void writeInner(PathAttributes set, JsonGenerator json) throws IOException {
        new AttributesJson(set, false, _ -> false, json).write();
    }

    private void write() throws IOException {
        json.writeStartObject();
        List<Integer> types = set.types();
        boolean nextHop = false;
        for (int type : types) {
            if (type >= AttributeCode.NEXT_HOP && !nextHop) {
                NextHopJson.write(set, omitted.test(AttributeCode.NEXT_HOP), json);
                nextHop = true;
            }
            Attribute attribute = Attribute.of(type);
            Fields fields = attribute == null || omitted.test(type) ? null : attribute.fields();
            if (fields != null) {
                fields.write(set.bytes(), set.from(type), set.end(type), json);
            } else if (type == AttributeCode.ATTR_SET) {
                json.writeFieldName("attr_set");
                AttrSet.write(set.bytes(), set.from(type), set.end(type), outermost, json);
            }
        }
        unknown(types);
        partial(types);
        json.writeEndObject();
    }

    private void unknown(List<Integer> types) throws IOException {
        if (types.stream().allMatch(Attribute::isKnown)) {
            return;
        }
        json.writeArrayFieldStart("unknown");
        for (int type : types) {
            if (!Attribute.isKnown(type)) {
                json.writeStartObject();
                json.writeNumberField("type", type);
                json.writeNumberField("flags", set.flags(type));
                json.writeStringField("value", Hex.of(set.bytes(), set.from(type), set.end(type)));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private void partial(List<Integer> types) throws IOException {
        if (types.stream().noneMatch(this::isPartial)) {
            return;
        }
        json.writeArrayFieldStart("partial");
        for (int type : types) {
            if (isPartial(type)) {
                json.writeNumber(type);
            }
        }
        json.writeEndArray();
    }

    private boolean isPartial(int type) {
        return (set.flags(type) & AttributeCode.FLAG_PARTIAL) != 0;
    }
}
