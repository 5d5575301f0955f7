package dev.silkroute.app.rpki;

import dev.silkroute.postgres.copy.CopiedRow;
import dev.silkroute.postgres.copy.Sql;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpChanges;
import dev.silkroute.rpki.VrpTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The VRPs that the station used during a span, from {@code bmp.vrp}. The changes of a part of the span are in memory,
 * about 100 bytes for each. For one thread.
 */
public final class PastVrps {
    private static final String VERSION_AT = """
        SELECT vrps > 0 FROM bmp.vrp_version WHERE used_from <= ? ORDER BY used_from DESC LIMIT 1\
        """;

    private static final String VRPS_AT = """
        SELECT cidr_send(prefix), max_length, asn FROM bmp.vrp
        WHERE valid_from <= timestamptz '%1$s' AND (valid_until > timestamptz '%1$s' OR valid_until IS NULL)\
        """;

    private static final String VERSIONS = """
        SELECT used_from, vrps > 0 FROM bmp.vrp_version WHERE used_from > ? AND used_from <= ?\
        """;

    /** The VRPs that versions withdraw and announce, with the time in microseconds since 1970. */
    private static final String CHANGES = """
        SELECT cidr_send(v.prefix), v.max_length, v.asn, c.announced, (extract(epoch FROM c.at) * 1000000)::bigint
        FROM bmp.vrp v CROSS JOIN LATERAL (VALUES (true, v.valid_from), (false, v.valid_until)) c (announced, at)
        WHERE c.at > timestamptz '%s' AND c.at <= timestamptz '%s'\
        """;

    private static final int PREFIX = 1;
    private static final int MAX_LENGTH = 2;
    private static final int ASN = 3;
    private static final int ANNOUNCED = 4;
    private static final int AT = 5;

    /** @param empty whether the station had no VRPs in the version */
    private record Version(boolean empty, List<Vrp> announced, List<Vrp> withdrawn) {}

    /** The versions that follow, by their times in microseconds since 1970. */
    private final TreeMap<Long, Version> following = new TreeMap<>();

    /** The newest VRPs, which the station does not use if the version is empty. */
    private VrpTable stored;

    private boolean empty;

    private PastVrps(VrpTable stored, boolean empty) {
        this.stored = stored;
        this.empty = empty;
    }

    /** Reads the VRPs of a time; none if the versions of that time are not kept. */
    public static PastVrps at(Connection connection, Instant time) throws SQLException {
        boolean used = Sql.first(connection, VERSION_AT, row -> row.getBoolean(1), time.atOffset(ZoneOffset.UTC))
                .orElse(false);
        List<Vrp> vrps = new ArrayList<>();
        CopiedRow.read(connection, VRPS_AT.formatted(time), row -> vrps.add(vrp(row)));
        return new PastVrps(VrpTable.of(vrps), !used);
    }

    /**
     * Reads the versions of the next part of the span.
     *
     * @param from exclusive, the end of the part before
     * @param to inclusive
     */
    public void read(Connection connection, Instant from, Instant to) throws SQLException {
        Sql.query(
                connection,
                VERSIONS,
                row -> following.put(
                        ChronoUnit.MICROS.between(
                                Instant.EPOCH,
                                row.getObject(1, OffsetDateTime.class).toInstant()),
                        new Version(!row.getBoolean(2), new ArrayList<>(), new ArrayList<>())),
                from.atOffset(ZoneOffset.UTC),
                to.atOffset(ZoneOffset.UTC));
        CopiedRow.read(connection, CHANGES.formatted(from, to), row -> {
            // VRPs of a version that is no longer kept are in the database as long as later versions contain them
            Version version = following.computeIfAbsent(
                    row.number(AT), _ -> new Version(true, new ArrayList<>(), new ArrayList<>()));
            (row.bool(ANNOUNCED) ? version.announced() : version.withdrawn()).add(vrp(row));
        });
    }

    /** Returns the VRPs in use. The object is the same until {@link #advance}. */
    public VrpTable table() {
        return empty ? VrpTable.EMPTY : stored;
    }

    /** Returns when the next version that has been read follows, in microseconds since 1970; empty if none does. */
    public OptionalLong next() {
        return following.isEmpty() ? OptionalLong.empty() : OptionalLong.of(following.firstKey());
    }

    /** Uses the next version. */
    public void advance() {
        Version next = following.pollFirstEntry().getValue();
        VrpChanges changes = new VrpChanges(stored);
        next.withdrawn().forEach(changes::withdraw);
        next.announced().forEach(changes::announce);
        stored = changes.toTable();
        empty = next.empty();
    }

    private static Vrp vrp(CopiedRow row) {
        return new Vrp(VrpStore.prefix(Objects.requireNonNull(row.bytes(PREFIX))), row.integer(MAX_LENGTH), (int)
                row.number(ASN));
    }
}
