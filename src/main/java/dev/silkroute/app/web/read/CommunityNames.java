package dev.silkroute.app.web.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.silkroute.bgp.attribute.community.ExtendedCommunity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The names of communities in the files of a directory: lines in {@code *.txt}, in the format of the NLNOG looking
 * glass, and definitions in {@code *.json}, of the YANG module {@code ietf-bgp-communities}
 * (draft-ietf-grow-yang-bgp-communities). The page finds the name of a community with them.
 *
 * <pre>
 * {"community": "64500:nnn", "name": "prepend $0 times"}
 * {"community": "64500",     "name": "Prepend in Europe",            digits after 64500:, a field for each length
 *  "values": [{"fields": [{"name": "Region", "length": 3, "pattern": "210"}, {"name": "Times", "length": 1, …}]}]}
 * </pre>
 */
final class CommunityNames {
    private static final Logger LOGGER = Logger.getLogger(CommunityNames.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final int MAX_ENTRIES = 100_000;
    private static final long MAX_FILE_BYTES = 1 << 20;
    private static final String MODULE = "ietf-bgp-communities:bgp-communities";
    /** The description of a field that has none: its value. */
    private static final String ANY = "*";

    private static final long MAX_AS2 = 0xFFFF;
    private static final long MAX_AS4 = 0xFFFF_FFFFL;

    private static final List<Value> REGULAR = List.of(new Value("local-admin", 16));
    private static final List<Value> LARGE =
            List.of(new Value("local-data-part-1", 32), new Value("local-data-part-2", 32));
    private static final List<Value> EXTENDED_AS2 = List.of(new Value("local-admin", 32));
    private static final List<Value> EXTENDED_AS4 = List.of(new Value("local-admin", 16));

    private final ArrayNode entries = JSON.createArrayNode();

    private CommunityNames() {}

    /** Returns all names as a JSON array. A file that cannot be read has none, and is logged. */
    static String json(Path directory) {
        var names = new CommunityNames();
        try (var files = Files.newDirectoryStream(directory, "*.{txt,json}")) {
            for (var file : files) {
                names.add(file);
            }
        } catch (IOException e) {
            LOGGER.warnf("Cannot read the names of communities: %s", e);
        }
        return names.entries.toString();
    }

    private void add(Path file) {
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                LOGGER.warnf("The names of communities in %s are ignored: it is larger than 1 MiB", file);
            } else if (file.toString().endsWith(".txt")) {
                Files.readAllLines(file).forEach(this::addLine);
            } else {
                addDefinitions(JSON.readTree(Files.readString(file, StandardCharsets.UTF_8))
                        .path(MODULE));
            }
        } catch (IOException e) {
            LOGGER.warnf("Cannot read the names of communities in %s: %s", file, e);
        }
    }

    private void addLine(String line) {
        int comma = line.indexOf(',');
        if (comma > 0 && !line.startsWith("#") && entries.size() < MAX_ENTRIES) {
            entries.addObject()
                    .put("community", line.substring(0, comma).strip().replaceFirst(" +", ":"))
                    .put("name", line.substring(comma + 1).strip());
        }
    }

    private void addDefinitions(JsonNode communities) {
        for (var regular : communities.path("regular")) {
            addDefinition(globalAdministrator(regular), regular, REGULAR);
        }
        for (var large : communities.path("large")) {
            addDefinition(globalAdministrator(large), large, LARGE);
        }
        for (var extended : communities.path("extended")) {
            boolean isAs4 = extended.has("asn4");
            addDefinition(extendedPrefix(extended, isAs4), extended, isAs4 ? EXTENDED_AS4 : EXTENDED_AS2);
        }
    }

    private static @Nullable String globalAdministrator(JsonNode definition) {
        var number = definition.path("global-admin");
        return number.isIntegralNumber() ? number.asText() : null;
    }

    /** Returns what the text of an extended community has before its number; null if it has another form. */
    private static @Nullable String extendedPrefix(JsonNode definition, boolean isAs4) {
        long asn = definition.path(isAs4 ? "asn4" : "asn").asLong(-1);
        int type = definition.path("type").asInt(-1);
        int subType = definition.path("subtype").asInt(-1);
        if (asn < 0 || asn > (isAs4 ? MAX_AS4 : MAX_AS2) || (type & ~0xFF) != 0 || (subType & ~0xFF) != 0) {
            return null;
        }
        var text = ExtendedCommunity.text((long) type << 56 | (long) subType << 48 | asn << (isAs4 ? 16 : 32));
        return text.endsWith(":" + asn + ":0") ? text.substring(0, text.length() - 2) : null;
    }

    private void addDefinition(@Nullable String community, JsonNode definition, List<Value> values) {
        if (community == null || entries.size() >= MAX_ENTRIES) {
            return;
        }
        var name = definition.path("name").asText();
        var entry = JSON.createObjectNode()
                .put("community", community)
                .put("name", definition.path("description").asText(name));
        var list = entry.putArray("values");
        if (values.stream().allMatch(value -> value.isIn(definition, list.addObject()))) {
            entries.add(entry);
        }
    }

    /** A value behind the AS number of a community: its name in the module, and its bits. */
    private record Value(String name, int bits) {
        /** Copies the fields of the value. Returns whether it has any, and all have the form of the module. */
        boolean isIn(JsonNode definition, ObjectNode copy) {
            var value = definition.path(name);
            if (value.path("format").asText().equals("binary")) {
                copy.put("bits", bits);
            }
            var fields = copy.putArray("fields");
            for (var field : value.path("field")) {
                if (!field.path("name").isTextual() || !field.path("pattern").isTextual()) {
                    return false;
                }
                var each = fields.addObject()
                        .put("name", field.get("name").asText())
                        .put("pattern", field.get("pattern").asText())
                        .put("description", field.path("description").asText(ANY));
                if (field.has("length")) {
                    each.put("length", field.get("length").asInt());
                }
            }
            return !fields.isEmpty();
        }
    }
}
