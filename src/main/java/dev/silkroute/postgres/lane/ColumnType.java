package dev.silkroute.postgres.lane;

import dev.silkroute.postgres.copy.CopyBinary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How values of one PostgreSQL type are written in binary. A value of a Java type that doesn't fit is refused: nothing is
 * guessed out of texts but what has no type of its own in Java.
 */
@FunctionalInterface
interface ColumnType {
    /** @throws IllegalArgumentException if the value is none of this type */
    void write(CopyBinary out, Object value);

    /** By the name in {@code pg_type}. Null: the type can't be written. */
    static @Nullable ColumnType of(String name) {
        return Known.TYPES.get(name);
    }

    /** The labels of an enum go as texts. */
    static ColumnType ofEnum() {
        return Known::text;
    }

    /** What is known by name. */
    final class Known {
        private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
        private static final Map<String, ColumnType> TYPES = Map.ofEntries(
                Map.entry("bool", (out, value) -> out.bool(as(Boolean.class, value))),
                Map.entry("int2", (out, value) -> out.int2((int) whole(value, Short.MIN_VALUE, Short.MAX_VALUE))),
                Map.entry("int4", (out, value) -> out.int4((int) whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE))),
                Map.entry("int8", (out, value) -> out.int8(whole(value, Long.MIN_VALUE, Long.MAX_VALUE))),
                Map.entry("oid", (out, value) -> out.int4((int) whole(value, 0, 0xFFFFFFFFL))),
                Map.entry(
                        "float4",
                        (out, value) -> out.int4(
                                Float.floatToIntBits(as(Number.class, value).floatValue()))),
                Map.entry(
                        "float8",
                        (out, value) -> out.int8(
                                Double.doubleToLongBits(as(Number.class, value).doubleValue()))),
                Map.entry("numeric", (out, value) -> bytes(out, Numeric.bytes(decimal(as(Number.class, value))))),
                Map.entry("text", Known::text),
                Map.entry("varchar", Known::text),
                Map.entry("bpchar", Known::text),
                Map.entry("name", Known::text),
                Map.entry("json", Known::text),
                Map.entry("xml", Known::text),
                Map.entry("jsonb", (out, value) -> out.jsonb(string(value))),
                Map.entry("uuid", Known::uuid),
                Map.entry("bytea", Known::bytea),
                Map.entry("date", (out, value) -> out.int4((int) ChronoUnit.DAYS.between(EPOCH, date(value)))),
                Map.entry(
                        "time",
                        (out, value) -> out.int8(as(LocalTime.class, value).toNanoOfDay() / 1000)),
                Map.entry("timestamp", (out, value) -> out.timestamp(micros(local(value)))),
                Map.entry("timestamptz", (out, value) -> out.timestamp(micros(instant(value)))),
                Map.entry("interval", Known::interval),
                Map.entry("inet", (out, value) -> inet(out, value, false)),
                Map.entry("cidr", (out, value) -> inet(out, value, true)),
                Map.entry("macaddr", Known::mac));

        private Known() {}

        private static <T> T as(Class<T> type, Object value) {
            if (!type.isInstance(value)) {
                throw new IllegalArgumentException("it takes a " + type.getSimpleName());
            }
            return type.cast(value);
        }

        private static long whole(Object value, long from, long to) {
            BigInteger exact;
            if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
                exact = BigInteger.valueOf(((Number) value).longValue());
            } else {
                try {
                    exact = decimal(as(Number.class, value)).toBigIntegerExact();
                } catch (ArithmeticException e) {
                    throw new IllegalArgumentException("it takes whole numbers", e);
                }
            }
            if (exact.compareTo(BigInteger.valueOf(from)) < 0 || exact.compareTo(BigInteger.valueOf(to)) > 0) {
                throw new IllegalArgumentException("it takes " + from + " to " + to);
            }
            return exact.longValue();
        }

        private static BigDecimal decimal(Number value) {
            return switch (value) {
                case BigDecimal exact -> exact;
                case BigInteger exact -> new BigDecimal(exact);
                case Double number -> BigDecimal.valueOf(number);
                case Float number -> new BigDecimal(number.toString());
                default -> BigDecimal.valueOf(value.longValue());
            };
        }

        private static String string(Object value) {
            return value instanceof Enum<?> constant
                    ? constant.name()
                    : as(CharSequence.class, value).toString();
        }

        private static void text(CopyBinary out, Object value) {
            String text = string(value);
            if (text.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a text can't hold the character NUL");
            }
            out.text(text);
        }

        private static void bytes(CopyBinary out, byte[] bytes) {
            out.bytea(bytes, 0, bytes.length);
        }

        private static void bytea(CopyBinary out, Object value) {
            if (value instanceof ByteBuffer buffer) {
                byte[] copy = new byte[buffer.remaining()];
                buffer.duplicate().get(copy);
                bytes(out, copy);
            } else {
                bytes(out, as(byte[].class, value));
            }
        }

        private static void uuid(CopyBinary out, Object value) {
            UUID id = value instanceof String text ? UUID.fromString(text) : as(UUID.class, value);
            out.uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
        }

        private static LocalDate date(Object value) {
            return value instanceof java.sql.Date date ? date.toLocalDate() : as(LocalDate.class, value);
        }

        private static Instant local(Object value) {
            return as(LocalDateTime.class, value).toInstant(ZoneOffset.UTC);
        }

        private static Instant instant(Object value) {
            return switch (value) {
                case OffsetDateTime time -> time.toInstant();
                case ZonedDateTime time -> time.toInstant();
                case java.sql.Timestamp time -> time.toInstant();
                case Date time -> Instant.ofEpochMilli(time.getTime());
                default -> as(Instant.class, value);
            };
        }

        private static long micros(Instant time) {
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000L), time.getNano() / 1000);
        }

        /** Microseconds, days, months. */
        private static void interval(CopyBinary out, Object value) {
            ByteBuffer bytes = ByteBuffer.allocate(16);
            if (value instanceof Period period) {
                bytes.putLong(0).putInt(period.getDays()).putInt((int) period.toTotalMonths());
            } else {
                Duration duration = as(Duration.class, value);
                bytes.putLong(duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1000)
                        .putInt(0)
                        .putInt(0);
            }
            bytes(out, bytes.array());
        }

        /** An address with or without a length behind it. A name is no address and is not looked up. */
        private static void inet(CopyBinary out, Object value, boolean cidr) {
            if (value instanceof InetAddress address) {
                inet(out, address, -1, cidr);
                return;
            }
            String text = string(value);
            int slash = text.indexOf('/');
            String literal = slash < 0 ? text : text.substring(0, slash);
            InetAddress address;
            int bits = -1;
            try {
                address = InetAddress.ofLiteral(literal);
                if (slash >= 0) {
                    bits = Integer.parseInt(text.substring(slash + 1));
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("it takes an address or a prefix", e);
            }
            inet(out, address, bits, cidr);
        }

        private static void inet(CopyBinary out, InetAddress address, int bits, boolean cidr) {
            byte[] bytes = address.getAddress();
            boolean ipv6 = !(address instanceof Inet4Address);
            int most = bytes.length * 8;
            if (bits > most || bits < -1) {
                throw new IllegalArgumentException("a prefix has 0 to " + most + " bits");
            }
            ByteBuffer numbers = ByteBuffer.wrap(bytes);
            long high = ipv6 ? numbers.getLong() : 0;
            long low = ipv6 ? numbers.getLong() : numbers.getInt();
            out.address(ipv6, high, low, bits < 0 ? most : bits, cidr);
        }

        private static void mac(CopyBinary out, Object value) {
            String[] parts = string(value).split("[:-]");
            byte[] bytes = new byte[6];
            if (parts.length != bytes.length) {
                throw new IllegalArgumentException("it takes six bytes in hex");
            }
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) Integer.parseInt(parts[i], 16);
            }
            bytes(out, bytes);
        }
    }
}
