package dev.silkroute.route.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.silkroute.bgp.attribute.AsPath;
import dev.silkroute.bgp.attribute.NextHop;
import dev.silkroute.bgp.attribute.Origin;
import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Hex;
import dev.silkroute.net.Json;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The path attributes of an announcement: the common ones as values, and all of them as JSON. Their JSON is written
 * once for all events that share the set. Not thread-safe.
 */
public final class EventAttributes {
    private final @Nullable PathAttributes set;
    private final String hex;
    private @Nullable String fields;

    private EventAttributes(@Nullable PathAttributes set, String hex) {
        this.set = set;
        this.hex = hex;
    }

    /** Decodes a canonical set. One that cannot be decoded has no values, and its JSON is its bytes in hex. */
    static EventAttributes decode(byte[] b, int from, int to) {
        try {
            return new EventAttributes(PathAttributes.decode(b, from, to), "");
        } catch (DecodeException e) {
            return new EventAttributes(null, Hex.of(b, from, to));
        }
    }

    public @Nullable String nextHop() {
        NextHop nextHop = set == null ? null : set.nextHop();
        return nextHop == null ? null : nextHop.text();
    }

    public @Nullable String origin() {
        Origin origin = set == null ? null : set.origin();
        return origin == null ? null : origin.text();
    }

    public @Nullable String asPath() {
        AsPath path = set == null ? null : set.asPath();
        return path == null ? null : path.text();
    }

    /** Returns null if the path is empty or ends with a set. */
    public @Nullable Long originAsn() {
        AsPath path = set == null ? null : set.asPath();
        return path == null ? null : boxed(path.originAsn());
    }

    public @Nullable Long med() {
        return set == null ? null : boxed(set.med());
    }

    public @Nullable Long localPref() {
        return set == null ? null : boxed(set.localPref());
    }

    public List<String> communities() {
        return set == null ? List.of() : set.communities();
    }

    public List<String> largeCommunities() {
        return set == null ? List.of() : set.largeCommunities();
    }

    public List<String> extCommunities() {
        return set == null ? List.of() : set.extendedCommunities();
    }

    /** Appends the fields to an open object that already has fields. */
    void write(JsonGenerator json) throws IOException {
        if (fields == null) {
            String object = Json.string(this::writeObject);
            fields = object.substring(1, object.length() - 1);
        }
        json.writeRaw(',');
        json.writeRaw(fields);
    }

    private void writeObject(JsonGenerator json) throws IOException {
        json.writeStartObject();
        if (set == null) {
            json.writeStringField("attributes_raw", hex);
        } else {
            writeFields(set, json);
        }
        json.writeEndObject();
    }

    /** Writes the fields of a set into an open object, named like the columns of {@code v_route_history}. */
    public static void writeFields(PathAttributes set, JsonGenerator json) throws IOException {
        NextHop nextHop = set.nextHop();
        if (nextHop != null) {
            nextHop.write(json);
        }
        if (set.origin() != null) {
            json.writeStringField("origin", set.origin().text());
        }
        AsPath path = set.asPath();
        if (path != null) {
            json.writeStringField("as_path", path.text());
            number("origin_asn", path.originAsn(), json);
        }
        number("med", set.med(), json);
        number("local_pref", set.localPref(), json);
        strings("communities", set.communities(), json);
        strings("large_communities", set.largeCommunities(), json);
        strings("ext_communities", set.extendedCommunities(), json);
        json.writeFieldName("attributes");
        set.write(json);
    }

    private static void number(String name, OptionalLong value, JsonGenerator json) throws IOException {
        if (value.isPresent()) {
            json.writeNumberField(name, value.getAsLong());
        }
    }

    private static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        if (!values.isEmpty()) {
            Json.strings(name, values, json);
        }
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
