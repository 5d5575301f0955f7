package dev.silkroute.postgres.pipeline;

import dev.silkroute.net.Addresses;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import io.vertx.pgclient.data.Cidr;
import io.vertx.pgclient.data.Inet;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.data.Numeric;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts the driver's values to classes of the JDK, so that results contain nothing of the driver. */
final class ResultValues {
    private ResultValues() {}

    /** @throws IllegalArgumentException if the driver cannot read a column */
    static List<ResultRow> rows(List<String> columns, List<ColumnDescriptor> types, List<Row> rows) {
        for (ColumnDescriptor type : types) {
            if (UnsupportedTypes.contains(type.typeName())) {
                throw new IllegalArgumentException("the driver cannot read column " + type.name() + ", a "
                        + type.typeName().toLowerCase(Locale.ROOT) + ": select it as ::text");
            }
        }
        List<ResultRow> converted = new ArrayList<>(rows.size());
        for (Row row : rows) {
            List<@Nullable Object> values = new ArrayList<>(columns.size());
            for (int i = 0; i < columns.size(); i++) {
                Object value = row.getValue(i);
                values.add(isJson(types.get(i)) ? json(value) : plain(value));
            }
            converted.add(new ResultRow(columns, Collections.unmodifiableList(values)));
        }
        return Collections.unmodifiableList(converted);
    }

    private static boolean isJson(ColumnDescriptor type) {
        return type.typeName().toLowerCase(Locale.ROOT).startsWith("json") && !type.isArray();
    }

    /** JSON as its text. */
    private static @Nullable Object json(@Nullable Object value) {
        return value == null ? null : Tuple.JSON_NULL.equals(value) ? "null" : Json.encode(value);
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Buffer buffer -> buffer.getBytes();
            case Numeric number -> number.isNaN() ? Double.valueOf(Double.NaN) : (Object) number.bigDecimalValue();
            case Inet inet ->
                inet.getNetmask() == null ? text(inet.getAddress()) : text(inet.getAddress()) + "/" + inet.getNetmask();
            case Cidr cidr -> text(cidr.getAddress()) + "/" + cidr.getNetmask();
            case Object[] array ->
                Collections.unmodifiableList(Arrays.asList(
                        Arrays.stream(array).map(ResultValues::plain).toArray()));
            case Object other when other.getClass().getName().startsWith("io.vertx.") -> other.toString();
            default -> value;
        };
    }

    private static String text(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.remaining() == Integer.BYTES
                ? Addresses.ipv4(bytes.getInt())
                : Addresses.ipv6(bytes.getLong(), bytes.getLong());
    }
}
