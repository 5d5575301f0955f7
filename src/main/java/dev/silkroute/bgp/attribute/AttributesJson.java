package dev.silkroute.bgp.attribute;

import dev.silkroute.net.Hex;
import dev.silkroute.net.JsonText;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Writes an attribute set as JSON without losing a byte: each is in a field or in hex beside it. Only attributes that
 * are there have a key; keys come in the order of {@code docs/attributes.md}, which has their forms.
 */
final class AttributesJson {
    private final PathAttributes set;
    private final boolean outermost;
    private final IntPredicate leftOut;
    private final JsonText json = new JsonText();

    private AttributesJson(PathAttributes set, boolean outermost, IntPredicate leftOut) {
        this.set = set;
        this.outermost = outermost;
        this.leftOut = leftOut;
    }

    static String write(PathAttributes set, IntPredicate leftOut) {
        return new AttributesJson(set, true, leftOut).write();
    }

    /** The set of an ATTR_SET, whose own ATTR_SET is not taken apart any more. */
    static String writeInner(PathAttributes set) {
        return new AttributesJson(set, false, _ -> false).write();
    }

    private String write() {
        json.begin();
        List<Integer> types = set.types();
        boolean nextHop = false;
        for (int type : types) {
            if (type >= AttributeCode.NEXT_HOP && !nextHop) {
                NextHopJson.write(set, json, leftOut.test(AttributeCode.NEXT_HOP));
                nextHop = true;
            }
            AttributeField field = AttributeField.of(type);
            if (field != null && !leftOut.test(type)) {
                byte[] b = set.bytes();
                field.write(b, set.from(type), set.end(type), json);
            } else if (type == AttributeCode.ATTR_SET) {
                json.name("attr_set");
                AttrSet.write(set.bytes(), set.from(type), set.end(type), outermost, json);
            }
        }
        unknown(types);
        partial(types);
        return json.end().toString();
    }

    private void unknown(List<Integer> types) {
        if (types.stream().allMatch(AttributeCode::known)) {
            return;
        }
        json.name("unknown").beginArray();
        for (int type : types) {
            if (!AttributeCode.known(type)) {
                json.begin()
                        .field("type", type)
                        .field("flags", set.flags(type))
                        .field("value", Hex.of(set.bytes(), set.from(type), set.end(type)))
                        .end();
            }
        }
        json.endArray();
    }

    private void partial(List<Integer> types) {
        if (types.stream().noneMatch(this::isPartial)) {
            return;
        }
        json.name("partial").beginArray();
        types.stream().filter(this::isPartial).forEach(type -> json.value(type));
        json.endArray();
    }

    private boolean isPartial(int type) {
        return (set.flags(type) & AttributeCode.FLAG_PARTIAL) != 0;
    }
}
