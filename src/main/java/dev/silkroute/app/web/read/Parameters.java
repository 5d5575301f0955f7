package dev.silkroute.app.web.read;

import dev.silkroute.app.web.ProblemException;
import dev.silkroute.net.IpPrefix;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of a request. A parameter that the operation does not have, that is given twice although it may
 * not be, or whose value is invalid, is rejected with the problem {@code invalid-parameter}. A blank value counts as
 * absent.
 */
final class Parameters {
    private static final int MAX_LENGTH = 4096;
    private static final int DATE_LENGTH = 10;
    private static final long MAX_UNSIGNED_INT = 0xFFFF_FFFFL;
    private static final Pattern AGO = Pattern.compile("-?(\\d{1,6})([smhd])");

    private final MultivaluedMap<String, String> values;
    private final Set<String> names;

    /**
     * Checks the names of the parameters.
     *
     * @param names those that the operation has
     */
    Parameters(MultivaluedMap<String, String> values, Collection<String> names) {
        this.values = values;
        this.names = new TreeSet<>(names);
        for (var name : values.keySet()) {
            if (!this.names.contains(name)) {
                throw ProblemException.parameter(
                        name,
                        "'" + name + "' is not a parameter of this operation, which has "
                                + String.join(", ", this.names));
            }
        }
    }

    /** Returns all values of a parameter that may be repeated. */
    List<String> texts(String name) {
        if (!names.contains(name)) {
            return List.of();
        }
        var all = values.getOrDefault(name, List.of()).stream()
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .toList();
        for (var value : all) {
            if (value.length() > MAX_LENGTH) {
                throw invalid(name, "must not be longer than " + MAX_LENGTH + " characters");
            }
            if (value.indexOf('\0') >= 0) {
                throw invalid(name, "must not contain the character NUL");
            }
        }
        return all;
    }

    @Nullable
    String text(String name) {
        var all = texts(name);
        if (all.size() > 1) {
            throw invalid(name, "must not be repeated");
        }
        return all.isEmpty() ? null : all.getFirst();
    }

    boolean has(String name) {
        return text(name) != null;
    }

    /** Returns one of the given values, or null. */
    @Nullable
    String choice(String name, Collection<String> choices) {
        var value = text(name);
        if (value != null && !choices.contains(value)) {
            throw invalid(name, "must be one of " + String.join(", ", choices) + ", not '" + value + "'");
        }
        return value;
    }

    long number(String name, long otherwise, long min, long max) {
        var value = text(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw invalid(name, "must be a number from " + min + " to " + max + ", not '" + value + "'");
    }

    /** Returns an AS number, with or without the prefix {@code AS}. */
    @Nullable
    Long asn(String name) {
        var value = text(name);
        return value == null ? null : asn(name, value);
    }

    /** Returns the different AS numbers of a required list, separated by commas, in its order. */
    Set<Long> asns(String name) {
        var asns = new LinkedHashSet<Long>();
        for (var value : required(name, text(name)).split(",", -1)) {
            asns.add(asn(name, value.strip()));
        }
        return asns;
    }

    private static long asn(String name, String value) {
        try {
            boolean hasPrefix = value.regionMatches(true, 0, "AS", 0, 2);
            long asn = Long.parseLong(hasPrefix ? value.substring(2) : value);
            if (asn >= 0 && asn <= MAX_UNSIGNED_INT) {
                return asn;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw invalid(name, "must be an AS number from 0 to " + MAX_UNSIGNED_INT + ", not '" + value + "'");
    }

    @Nullable
    Boolean flag(String name) {
        var value = choice(name, List.of("true", "false"));
        return value == null ? null : Boolean.valueOf(value);
    }

    /** Returns a prefix or address; an address is a prefix of full length. */
    @Nullable
    IpPrefix prefix(String name) {
        var value = text(name);
        try {
            return value == null ? null : IpPrefix.parse(value);
        } catch (IllegalArgumentException e) {
            throw ProblemException.parameter(name, String.valueOf(e.getMessage()));
        }
    }

    /** Returns an address in its canonical form. */
    @Nullable
    String address(String name) {
        var value = text(name);
        if (value != null && value.indexOf('/') >= 0) {
            throw invalid(name, "must be an address, not a prefix: '" + value + "'");
        }
        var prefix = prefix(name);
        return prefix == null
                ? null
                : prefix.toString().substring(0, prefix.toString().indexOf('/'));
    }

    /**
     * Returns a time: an ISO 8601 date and time with its offset, a date, which stands for its midnight in UTC, or how
     * long ago the time was, such as {@code -15m}.
     */
    @Nullable
    OffsetDateTime time(String name) {
        var value = text(name);
        if (value == null) {
            return null;
        }
        try {
            var ago = AGO.matcher(value);
            var time = ago.matches()
                    ? OffsetDateTime.now(ZoneOffset.UTC)
                            .minusSeconds(Long.parseLong(ago.group(1)) * seconds(ago.group(2)))
                    : value.length() == DATE_LENGTH
                            ? LocalDate.parse(value).atStartOfDay().atOffset(ZoneOffset.UTC)
                            : OffsetDateTime.parse(value);
            if (time.getYear() >= 0 && time.getYear() <= 9999) {
                return time.withOffsetSameInstant(ZoneOffset.UTC);
            }
        } catch (DateTimeException e) {
            // Reported below.
        }
        throw invalid(
                name,
                "must be a time such as 2026-11-21T09:30:00Z or -15m, or a date such as 2026-11-21, not '" + value
                        // A plus sign in a URL stands for a space
                        + (value.contains(" ") ? "'; a plus sign in a URL is written %2B" : "'"));
    }

    private static long seconds(String unit) {
        return switch (unit) {
            case "s" -> 1;
            case "m" -> 60;
            case "h" -> 3_600;
            default -> 86_400;
        };
    }

    <T> T required(String name, @Nullable T value) {
        if (value == null) {
            throw ProblemException.parameter(name, "the parameter " + name + " is required");
        }
        return value;
    }

    /** Returns the exception for an invalid value. */
    static ProblemException invalid(String name, String reason) {
        return ProblemException.parameter(name, name + " " + reason);
    }
}
