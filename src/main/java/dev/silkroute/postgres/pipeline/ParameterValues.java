package dev.silkroute.postgres.pipeline;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.data.Cidr;
import io.vertx.pgclient.data.Inet;
import io.vertx.sqlclient.Tuple;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts parameters to the values that the driver expects for the types that PostgreSQL has inferred. The driver
 * itself would truncate a number that is too large for its type; here every value is checked before anything is sent.
 */
final class ParameterValues {
    private ParameterValues() {}

    /**
     * @param type the name of a type, such as {@code int8}; an underscore before it denotes an array
     * @throws IllegalArgumentException if the value does not fit the type
     */
    static @Nullable Object convert(String type, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        return type.startsWith("_") ? array(type.substring(1), value) : scalar(type, value);
    }

    private static Object scalar(String type, Object value) {
        Object converted = switch (type) {
            case "bool" -> value instanceof Boolean ? value : null;
            case "int2" -> (short) whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
            case "int4" -> (int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "int8" -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE);
            case "float4" -> value instanceof Number number ? fitting(number, number.floatValue()) : null;
            case "float8" -> value instanceof Number number ? fitting(number, number.doubleValue()) : null;
            case "numeric" -> numeric(value);
            case "uuid" ->
                value instanceof CharSequence text ? UUID.fromString(text.toString()) : as(UUID.class, value);
            case "bytea" -> bytes(value);
            case "inet" -> inet(value);
            case "cidr" -> cidr(value);
            case "json", "jsonb" -> json(value);
            case "date" -> value instanceof java.sql.Date date ? date.toLocalDate() : as(LocalDate.class, value);
            case "time" -> value instanceof java.sql.Time time ? time.toLocalTime() : as(LocalTime.class, value);
            case "timestamp" ->
                value instanceof java.sql.Timestamp time ? time.toLocalDateTime() : as(LocalDateTime.class, value);
            case "timestamptz" -> time(value);
            case String other
            when UnsupportedTypes.contains(other) ->
                throw new IllegalArgumentException(
                        "the driver cannot write " + other + ": write $1::text::" + other + " and pass a string");
            default -> text(value);
        };
        if (converted == null) {
            throw wrong(type, value);
        }
        return converted;
    }

    private static IllegalArgumentException wrong(String type, Object value) {
        return new IllegalArgumentException(
                "not a " + type + ": " + value.getClass().getSimpleName() + " " + Pipeline.shortened(value.toString()));
    }

    private static <T> @Nullable T as(Class<T> type, Object value) {
        return type.isInstance(value) ? type.cast(value) : null;
    }

    private static long whole(Object value, long least, long most) {
        long number;
        try {
            number = switch (value) {
                case Byte small -> small;
                case Short small -> small;
                case Integer small -> small;
                case Long large -> large;
                case BigInteger large -> large.longValueExact();
                case BigDecimal decimal -> decimal.longValueExact();
                case Number other -> new BigDecimal(other.toString()).longValueExact();
                default -> throw wrong("whole number", value);
            };
        } catch (ArithmeticException | NumberFormatException e) {
            throw wrong("whole number that fits", value);
        }
        if (number < least || number > most) {
            throw new IllegalArgumentException("not between " + least + " and " + most + ": " + number);
        }
        return number;
    }

    /** Rejects a value that Java converts to infinity, because PostgreSQL reports it as out of range. */
    private static Number fitting(Number given, Number converted) {
        boolean infinite =
                (given instanceof Double || given instanceof Float) && Double.isInfinite(given.doubleValue());
        if (Double.isInfinite(converted.doubleValue()) && !infinite) {
            throw wrong("number that fits", given);
        }
        return converted;
    }

    private static @Nullable Object numeric(Object value) {
        return switch (value) {
            case BigDecimal decimal -> decimal;
            case BigInteger integer -> new BigDecimal(integer);
            case Double number when !Double.isFinite(number) -> number;
            case Float number when !Float.isFinite(number) -> number;
            case Number number -> new BigDecimal(number.toString());
            default -> null;
        };
    }

    private static @Nullable Object text(Object value) {
        return switch (value) {
            case CharSequence text -> text.toString();
            case Character character -> character.toString();
            case Enum<?> constant -> constant.name();
            default -> null;
        };
    }

    private static @Nullable Object bytes(Object value) {
        return switch (value) {
            case byte[] array -> Buffer.buffer(array);
            case ByteBuffer buffer -> {
                byte[] copy = new byte[buffer.remaining()];
                buffer.duplicate().get(copy);
                yield Buffer.buffer(copy);
            }
            default -> null;
        };
    }

    private static @Nullable Object time(Object value) {
        return switch (value) {
            case Instant instant -> instant.atOffset(ZoneOffset.UTC);
            case OffsetDateTime time -> time;
            case ZonedDateTime time -> time.toOffsetDateTime();
            case Date date -> Instant.ofEpochMilli(date.getTime()).atOffset(ZoneOffset.UTC);
            default -> null;
        };
    }

    private static @Nullable Object inet(Object value) {
        if (value instanceof InetAddress address) {
            return new Inet().setAddress(address);
        }
        if (!(value instanceof CharSequence text)) {
            return null;
        }
        String[] parts = text.toString().split("/", 2);
        Inet inet = new Inet().setAddress(InetAddress.ofLiteral(parts[0]));
        return parts.length == 1 ? inet : inet.setNetmask(Integer.valueOf(parts[1]));
    }

    private static @Nullable Object cidr(Object value) {
        Inet inet = (Inet) inet(value);
        if (inet == null) {
            return null;
        }
        Integer length = inet.getNetmask();
        int all = inet.getAddress().getAddress().length * Byte.SIZE;
        return new Cidr().setAddress(inet.getAddress()).setNetmask(length == null ? all : length);
    }

    /** A Java string contains JSON text; it is not a JSON string. */
    private static Object json(Object value) {
        return switch (value) {
            case CharSequence text -> {
                Object decoded = Json.decodeValue(text.toString());
                yield decoded == null ? Tuple.JSON_NULL : decoded;
            }
            case Map<?, ?> map -> new JsonObject(Json.encode(map));
            case Collection<?> values -> new JsonArray(Json.encode(values));
            case Number number -> number;
            case Boolean truth -> truth;
            default -> throw wrong("json", value);
        };
    }

    /** Converts an array or collection to an array of the class that the driver expects. */
    private static Object array(String type, Object value) {
        List<@Nullable Object> elements = new ArrayList<>();
        if (value instanceof Collection<?> values) {
            values.forEach(element -> elements.add(convert(type, element)));
        } else if (value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                elements.add(convert(type, Array.get(value, i)));
            }
        } else {
            throw wrong("array of " + type, value);
        }
        Class<?> component = switch (type) {
            case "bool" -> Boolean.class;
            case "int2" -> Short.class;
            case "int4" -> Integer.class;
            case "int8" -> Long.class;
            case "float4" -> Float.class;
            case "float8" -> Double.class;
            case "numeric" -> Number.class;
            case "uuid" -> UUID.class;
            case "bytea" -> Buffer.class;
            case "inet" -> Inet.class;
            case "json", "jsonb" -> Object.class;
            case "date" -> LocalDate.class;
            case "time" -> LocalTime.class;
            case "timestamp" -> LocalDateTime.class;
            case "timestamptz" -> OffsetDateTime.class;
            case "text", "varchar", "bpchar", "name", "char" -> String.class;
            default ->
                throw new IllegalArgumentException(
                        "the driver does not support arrays of " + type + ": write $1::text[]::" + type + "[]");
        };
        return elements.toArray((Object[]) Array.newInstance(component, elements.size()));
    }
}
