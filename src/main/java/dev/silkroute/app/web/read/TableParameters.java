package dev.silkroute.app.web.read;

import dev.silkroute.app.reconcile.Comparisons.UnavailableException;
import dev.silkroute.app.web.ProblemException;
import dev.silkroute.app.web.ProblemType;
import dev.silkroute.bgp.RibView;
import dev.silkroute.digest.TableSelection;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters that select tables for digests, and the problems that reading them may have. */
final class TableParameters {
    static final List<String> NAMES = List.of(RouteFilter.ROUTER, RouteFilter.PEER, RouteFilter.VIEW, "family");

    /** Hashes of tables, separated by commas. */
    static final String TABLE = "table";

    /** The SQL state of a statement that has been canceled, by its timeout. */
    private static final String CANCELED = "57014";

    private static final int MAX_TABLES = 128;
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{16}");

    private TableParameters() {}

    static TableSelection selection(Parameters parameters) {
        return new TableSelection(
                parameters.text(RouteFilter.ROUTER),
                parameters.address(RouteFilter.PEER),
                view(RouteFilter.view(parameters)),
                RouteFilter.family(parameters),
                hashes(parameters, TABLE, MAX_TABLES));
    }

    private static @Nullable RibView view(@Nullable String name) {
        return name == null ? null : RibView.of(name);
    }

    /** Returns the hashes of a parameter, which are 16 hexadecimal digits each; none if it is absent. */
    static Set<Long> hashes(Parameters parameters, String name, int most) {
        Set<Long> hashes = new TreeSet<>();
        var text = parameters.text(name);
        if (text == null) {
            return hashes;
        }
        for (var hash : text.split(",", -1)) {
            if (!HASH.matcher(hash).matches()) {
                throw Parameters.invalid(
                        name, "must be hashes of 16 hexadecimal digits, separated by commas, not '" + hash + "'");
            }
            hashes.add(HexFormat.fromHexDigitsToLong(hash));
        }
        if (hashes.size() > most) {
            throw Parameters.invalid(name, "must not have more than " + most + " hashes");
        }
        return hashes;
    }

    /** A read of digests or routes. */
    @FunctionalInterface
    interface Read<T> {
        T read() throws IOException, InterruptedException, UnavailableException;
    }

    /** Reads, and throws what fails as a problem. */
    static <T> T read(Read<T> read) throws SQLException {
        try {
            return read.read();
        } catch (UnavailableException e) {
            var type = switch (e.kind()) {
                case ROLE -> ProblemType.ROLE_MISSING;
                case TWIN -> ProblemType.TWIN_UNAVAILABLE;
                case LATER -> ProblemType.RETRY_LATER;
            };
            throw new ProblemException(type, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            if (e.getCause() instanceof SQLException database) {
                if (CANCELED.equals(database.getSQLState())) {
                    throw new ProblemException(
                            ProblemType.TIMEOUT,
                            "PostgreSQL took longer than silkroute.reconcile.timeout; select fewer tables",
                            database);
                }
                throw database;
            }
            throw new ProblemException(ProblemType.TWIN_UNAVAILABLE, String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProblemException(ProblemType.RETRY_LATER, "The station is stopping", e);
        }
    }
}
