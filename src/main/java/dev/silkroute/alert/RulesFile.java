package dev.silkroute.alert;

import dev.silkroute.alert.path.AsRelations;
import dev.silkroute.alert.path.PathCondition;
import dev.silkroute.alert.record.AlertSubject;
import dev.silkroute.bgp.NeighborRole;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.DurationText;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.NearestName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads {@link AlertRules} from a file in the format of BGPalerter's {@code prefixes.yml}: a map of prefixes, and the
 * monitored ASes as {@code options.monitorASns}; in addition, monitored routers as {@code options.monitorRouters},
 * monitored tables as {@code options.monitorTables}, and undecodable messages as {@code options.monitorQuarantine}.
 * Unknown fields are errors, except {@code options.generate}, in which BGPalerter keeps the arguments with which it has
 * made the file.
 */
public final class RulesFile {
    private static final long MAX_BYTES = 64 << 20;
    private static final long MAX_ASN = 0xFFFF_FFFFL;
    private static final String DEFAULT_GROUP = "default";
    private static final Pattern PERCENT = Pattern.compile("([1-9]\\d{0,3})%");
    private static final long MIN_WITHIN = 10_000_000;
    private static final long MAX_WITHIN = 24 * 3_600_000_000L;
    private static final long DEFAULT_SETTLE = 600_000_000;
    private static final String OPTIONS = "options";
    private static final String MONITORED_ASNS = "monitorASns";
    private static final String MONITORED_ROUTERS = "monitorRouters";
    private static final String MONITORED_TABLES = "monitorTables";
    private static final String MONITORED_QUARANTINE = "monitorQuarantine";
    private static final String ROLES = "neighborRoles";
    private static final String ROUTES = "number of routes";
    private static final String RELATIONS = "relations";

    private static final Set<String> OPTION_FIELDS = Set.of(
            MONITORED_ASNS, MONITORED_ROUTERS, MONITORED_TABLES, MONITORED_QUARANTINE, ROLES, RELATIONS, "generate");
    private static final Set<String> AS_FIELDS = Set.of("group", "upstreams", "downstreams");
    private static final Set<String> ROUTER_FIELDS = Set.of("description", "goneAfter", "peerGoneAfter", "group");
    private static final Set<String> TABLE_FIELDS = Set.of(
            "router",
            "peer",
            "view",
            "family",
            "max",
            "min",
            "change",
            "within",
            "differs",
            "longerThan",
            "settle",
            "description",
            "group");
    private static final Set<String> QUARANTINE_FIELDS =
            Set.of("router", "peer", "max", "within", "quiet", "description", "group");
    private static final Set<String> PREFIX_FIELDS = Set.of(
            "description",
            "asn",
            "ignoreMorespecifics",
            "ignore",
            "group",
            "includeMonitors",
            "excludeMonitors",
            "path");
    private static final Set<String> PATH_FIELDS =
            Set.of("match", "notMatch", "matchDescription", "maxLength", "minLength");

    private RulesFile() {}

    /** @throws IOException if the file cannot be read or is not valid; the message names the entry */
    public static AlertRules read(Path file) throws IOException {
        return read(file, _ -> {});
    }

    /**
     * Reads a file.
     *
     * @param included called with the file of relations, if the rules name one, before it is read
     * @throws IOException if a file cannot be read or is not valid; the message names the entry
     */
    public static AlertRules read(Path file, Consumer<Path> included) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is larger than " + MAX_BYTES + " bytes");
        }
        try {
            return parse(Files.readString(file, StandardCharsets.UTF_8), file, included);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException if the text is not valid; the message names the entry */
    static AlertRules parse(String yaml) {
        return parse(yaml, Path.of(""), _ -> {});
    }

    private static AlertRules parse(String yaml, Path file, Consumer<Path> included) {
        Object root;
        try {
            root = new Load(LoadSettings.builder().setLabel("rules").build()).loadFromString(yaml);
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("not valid YAML: " + e.getMessage(), e);
        }
        Map<IpPrefix, MonitoredPrefix> entries = new TreeMap<>(IpPrefix.ORDER);
        Map<Long, MonitoredAs> asns = new TreeMap<>();
        List<MonitoredRouter> routers = new ArrayList<>();
        List<MonitoredTable> tables = new ArrayList<>();
        List<MonitoredQuarantine> quarantine = new ArrayList<>();
        Map<Long, NeighborRole> roles = new TreeMap<>();
        AsRelations relations = AsRelations.NONE;
        for (Map.Entry<?, ?> entry : map(root, "the file").entrySet()) {
            String key = String.valueOf(entry.getKey());
            if (key.equals(OPTIONS)) {
                Map<?, ?> options = fields(entry.getValue(), OPTIONS, OPTION_FIELDS);
                asns.putAll(monitoredAsns(options.get(MONITORED_ASNS)));
                routers.addAll(monitoredRouters(options.get(MONITORED_ROUTERS)));
                tables.addAll(monitoredTables(options.get(MONITORED_TABLES)));
                quarantine.addAll(monitoredQuarantine(options.get(MONITORED_QUARANTINE)));
                roles.putAll(roles(options.get(ROLES)));
                relations = relations(options.get(RELATIONS), file, included);
            } else {
                MonitoredPrefix parsed = prefix(key, fields(entry.getValue(), key, PREFIX_FIELDS));
                if (entries.putIfAbsent(parsed.prefix(), parsed) != null) {
                    throw new IllegalArgumentException(key + ": " + parsed.prefix()
                            + " has another entry, because bits after the prefix length do not count");
                }
            }
        }
        return new AlertRules(entries.values(), asns, routers, tables, quarantine, roles, relations);
    }

    private static Map<Long, MonitoredAs> monitoredAsns(@Nullable Object value) {
        Map<Long, MonitoredAs> asns = new TreeMap<>();
        if (value != null) {
            map(value, MONITORED_ASNS).forEach((key, settings) -> {
                Map<?, ?> fields =
                        settings == null ? Map.of() : fields(settings, MONITORED_ASNS + ": " + key, AS_FIELDS);
                String group = text(fields.get("group"));
                asns.put(
                        asn(key, MONITORED_ASNS),
                        new MonitoredAs(
                                group.isEmpty() ? DEFAULT_GROUP : group,
                                neighbors(fields.get("upstreams"), key + ": upstreams"),
                                neighbors(fields.get("downstreams"), key + ": downstreams")));
            });
        }
        return asns;
    }

    private static List<MonitoredRouter> monitoredRouters(@Nullable Object value) {
        List<MonitoredRouter> routers = new ArrayList<>();
        if (value != null) {
            map(value, MONITORED_ROUTERS).forEach((name, settings) -> {
                String key = MONITORED_ROUTERS + ": " + name;
                Map<?, ?> fields = fields(settings, key, ROUTER_FIELDS);
                String group = text(fields.get("group"));
                routers.add(MonitoredRouter.of(
                        String.valueOf(name),
                        text(fields.get("description")),
                        micros(fields.get("goneAfter"), key + ": goneAfter"),
                        micros(fields.get("peerGoneAfter"), key + ": peerGoneAfter"),
                        group.isEmpty() ? DEFAULT_GROUP : group));
            });
        }
        return routers;
    }

    private static List<MonitoredTable> monitoredTables(@Nullable Object value) {
        List<MonitoredTable> tables = new ArrayList<>();
        for (Object entry : list(value)) {
            String key = MONITORED_TABLES + " " + (tables.size() + 1);
            tables.add(table(fields(entry, key, TABLE_FIELDS), key));
        }
        return tables;
    }

    private static MonitoredTable table(Map<?, ?> fields, String key) {
        Pattern router = router(fields, key);
        OptionalLong max = count(fields.get("max"), key + ": max", ROUTES);
        OptionalLong min = count(fields.get("min"), key + ": min", ROUTES);
        OptionalInt change = percent(fields.get("change"), key + ": change");
        OptionalLong within = span(fields, "within", key);
        OptionalInt differs = percent(fields.get("differs"), key + ": differs");
        OptionalLong longerThan = micros(fields.get("longerThan"), key + ": longerThan");
        if (max.isEmpty() && min.isEmpty() && change.isEmpty() && differs.isEmpty()) {
            throw new IllegalArgumentException(key + " has no max, min, change or differs");
        }
        if (differs.isPresent() != longerThan.isPresent()) {
            throw new IllegalArgumentException(key + " has only one of differs and longerThan");
        }
        if (differs.isPresent() && text(fields.get("peer")).isEmpty()) {
            throw new IllegalArgumentException(key + ": differs requires peer");
        }
        if (change.isPresent() != within.isPresent()) {
            throw new IllegalArgumentException(key + " has only one of change and within");
        }
        return new MonitoredTable(
                key + " in options",
                router,
                peer(fields.get("peer"), key),
                named(fields.get("view"), key + ": view", AlertSubject.OfTable::view),
                named(fields.get("family"), key + ": family", AlertSubject.OfTable::family),
                max,
                min,
                change,
                within.orElse(0),
                differs,
                longerThan.orElse(0),
                micros(fields.get("settle"), key + ": settle").orElse(DEFAULT_SETTLE),
                text(fields.get("description")),
                group(fields));
    }

    private static List<MonitoredQuarantine> monitoredQuarantine(@Nullable Object value) {
        List<MonitoredQuarantine> entries = new ArrayList<>();
        for (Object entry : list(value)) {
            String key = MONITORED_QUARANTINE + " " + (entries.size() + 1);
            entries.add(quarantine(fields(entry, key, QUARANTINE_FIELDS), key));
        }
        return entries;
    }

    private static MonitoredQuarantine quarantine(Map<?, ?> fields, String key) {
        OptionalLong max = count(fields.get("max"), key + ": max", "number of messages");
        OptionalLong within = span(fields, "within", key);
        if (max.isEmpty() || within.isEmpty()) {
            throw new IllegalArgumentException(key + " has no " + (max.isEmpty() ? "max" : "within"));
        }
        if (max.getAsLong() > MonitoredQuarantine.MAX_MESSAGES) {
            throw new IllegalArgumentException(
                    key + ": max is at most " + MonitoredQuarantine.MAX_MESSAGES + ", not " + max.getAsLong());
        }
        long quiet = span(fields, "quiet", key).orElse(within.getAsLong());
        if (quiet < within.getAsLong()) {
            throw new IllegalArgumentException(key + ": quiet is shorter than within");
        }
        return new MonitoredQuarantine(
                key + " in options",
                router(fields, key),
                peer(fields.get("peer"), key),
                (int) max.getAsLong(),
                within.getAsLong(),
                text(fields.get("within")),
                quiet,
                text(fields.get("description")),
                group(fields));
    }

    private static Pattern router(Map<?, ?> fields, String key) {
        String router = text(fields.get("router"));
        if (router.isEmpty()) {
            throw new IllegalArgumentException(key + " has no router");
        }
        return MonitoredRouter.pattern(router);
    }

    /** Returns a time from 10s to 24h; empty if the field is missing. */
    private static OptionalLong span(Map<?, ?> fields, String field, String key) {
        OptionalLong span = micros(fields.get(field), key + ": " + field);
        if (span.isPresent() && (span.getAsLong() < MIN_WITHIN || span.getAsLong() > MAX_WITHIN)) {
            throw new IllegalArgumentException(
                    key + ": " + field + " is from 10s to 24h, not '" + fields.get(field) + "'");
        }
        return span;
    }

    private static String group(Map<?, ?> fields) {
        String group = text(fields.get("group"));
        return group.isEmpty() ? DEFAULT_GROUP : group;
    }

    /** Returns the text of an address as alerts contain it. */
    private static String peer(@Nullable Object value, String key) {
        String text = text(value);
        if (text.isEmpty() || text.equals(MonitoredTable.EACH_PEER)) {
            return text;
        }
        return named(value, key + ": peer", address -> {
            if (address.indexOf(':') < 0) {
                Addresses.parseIpv4(address);
            }
            return Addresses.canonical(address);
        });
    }

    private static <T> T named(@Nullable Object value, String key, Function<String, T> parser) {
        try {
            return parser.apply(text(value));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    private static OptionalLong count(@Nullable Object value, String key, String of) {
        if (value == null) {
            return OptionalLong.empty();
        }
        if (value instanceof Integer count && count >= 0) {
            return OptionalLong.of(count);
        }
        throw new IllegalArgumentException(key + ": '" + value + "' is not a " + of);
    }

    private static OptionalInt percent(@Nullable Object value, String key) {
        if (value == null) {
            return OptionalInt.empty();
        }
        Matcher percent = PERCENT.matcher(value.toString());
        if (percent.matches()) {
            return OptionalInt.of(Integer.parseInt(percent.group(1)));
        }
        throw new IllegalArgumentException(key + ": '" + value + "' is not a percentage such as 20%");
    }

    private static Map<Long, NeighborRole> roles(@Nullable Object value) {
        Map<Long, NeighborRole> roles = new TreeMap<>();
        if (value != null) {
            map(value, ROLES).forEach((asn, role) -> roles.put(asn(asn, ROLES), role(asn, text(role))));
        }
        return roles;
    }

    private static NeighborRole role(Object asn, String text) {
        try {
            return NeighborRole.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(ROLES + ": " + asn + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the relations in a list, or in a file that is named.
     *
     * @param rules the file of rules, in whose directory a relative name is
     */
    private static AsRelations relations(@Nullable Object value, Path rules, Consumer<Path> included) {
        if (value == null) {
            return AsRelations.NONE;
        }
        try {
            if (value instanceof List<?> lines) {
                return AsRelations.of(lines.stream().map(String::valueOf).toList());
            }
            Path file = rules.resolveSibling(value.toString());
            included.accept(file);
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(file + " is larger than " + MAX_BYTES + " bytes");
            }
            return AsRelations.of(Files.readAllLines(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException(RELATIONS + ": cannot read " + value + ": " + e, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(RELATIONS + ": " + e.getMessage(), e);
        }
    }

    private static OptionalLong micros(@Nullable Object value, String key) {
        try {
            return value == null
                    ? OptionalLong.empty()
                    : OptionalLong.of(DurationText.parse(value.toString()).toNanos() / 1000);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
        }
    }

    /** Returns the expected ASes; null if the field is missing or has no value. */
    private static @Nullable Set<Long> neighbors(@Nullable Object value, String key) {
        if (value == null) {
            return null;
        }
        Set<Long> asns = new LinkedHashSet<>();
        list(value).forEach(asn -> asns.add(asn(asn, key)));
        return asns;
    }

    private static MonitoredPrefix prefix(String key, Map<?, ?> fields) {
        if (key.indexOf('/') < 0) {
            throw new IllegalArgumentException("'" + key + "' is not a prefix with its length");
        }
        Set<Long> asns = new LinkedHashSet<>();
        list(fields.get("asn")).forEach(value -> asns.add(asn(value, key)));
        if (asns.isEmpty()) {
            throw new IllegalArgumentException(key + " has no asn");
        }
        Set<String> included = texts(fields.get("includeMonitors"));
        Set<String> excluded = texts(fields.get("excludeMonitors"));
        if (!included.isEmpty() && !excluded.isEmpty()) {
            throw new IllegalArgumentException(key + " has both includeMonitors and excludeMonitors");
        }
        List<PathCondition> paths = new ArrayList<>();
        for (Object path : list(fields.get("path"))) {
            paths.add(path(fields(path, key + ": path", PATH_FIELDS), key));
        }
        String group = text(fields.get("group"));
        return new MonitoredPrefix(
                IpPrefix.parse(key),
                text(fields.get("description")),
                asns,
                flag(fields.get("ignoreMorespecifics"), key + ": ignoreMorespecifics"),
                flag(fields.get("ignore"), key + ": ignore"),
                included,
                excluded,
                paths,
                group.isEmpty() ? DEFAULT_GROUP : group);
    }

    private static PathCondition path(Map<?, ?> fields, String key) {
        return new PathCondition(
                pattern(fields.get("match"), key),
                pattern(fields.get("notMatch"), key),
                text(fields.get("matchDescription")),
                length(fields.get("maxLength"), key),
                length(fields.get("minLength"), key));
    }

    private static @Nullable Pattern pattern(@Nullable Object value, String key) {
        try {
            return value == null ? null : Pattern.compile(value.toString());
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(key + ": '" + value + "' is not a regular expression", e);
        }
    }

    private static OptionalInt length(@Nullable Object value, String key) {
        if (value == null) {
            return OptionalInt.empty();
        }
        if (value instanceof Integer length && length >= 0) {
            return OptionalInt.of(length);
        }
        throw new IllegalArgumentException(key + ": '" + value + "' is not a length of an AS path");
    }

    private static Long asn(@Nullable Object value, String key) {
        try {
            String digits = String.valueOf(value);
            long asn = Long.parseLong(digits.regionMatches(true, 0, "AS", 0, 2) ? digits.substring(2) : digits);
            if (asn >= 0 && asn <= MAX_ASN) {
                return asn;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(key + ": '" + value + "' is not an AS number");
    }

    /** Accepts a trailing comma, because the example in BGPalerter's documentation contains one. */
    private static boolean flag(@Nullable Object value, String key) {
        String text = text(value).toLowerCase(Locale.ROOT);
        return switch (text.endsWith(",") ? text.substring(0, text.length() - 1) : text) {
            case "true" -> true;
            case "false", "" -> false;
            default -> throw new IllegalArgumentException(key + " is true or false, not '" + value + "'");
        };
    }

    /** Returns a map that has no other fields than those known. */
    private static Map<?, ?> fields(@Nullable Object value, String name, Set<String> known) {
        Map<?, ?> fields = map(value, name);
        for (Object field : fields.keySet()) {
            if (!known.contains(String.valueOf(field))) {
                throw new IllegalArgumentException(name + ": unknown field '" + field + "', did you mean "
                        + NearestName.of(String.valueOf(field), new TreeSet<>(known)) + "?");
            }
        }
        return fields;
    }

    private static Map<?, ?> map(@Nullable Object value, String name) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(name + " is not a map");
    }

    private static List<?> list(@Nullable Object value) {
        if (value == null) {
            return List.of();
        }
        return value instanceof List<?> list ? list : List.of(value);
    }

    private static Set<String> texts(@Nullable Object value) {
        Set<String> texts = new LinkedHashSet<>();
        list(value).forEach(text -> texts.add(String.valueOf(text)));
        return texts;
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }
}
