package dev.silkroute.app.web.read;

import dev.silkroute.bgp.RibView;
import dev.silkroute.net.Family;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.rpki.AspaVerdict;
import dev.silkroute.rpki.Validity;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parameters that select routes, as conditions on {@code v}, which has the columns of {@code v_rib}. */
final class RouteFilter {
    static final String PREFIX = "prefix";
    static final String MATCH = "match";
    static final String ROUTER = "router";
    static final String PEER = "peer";
    static final String VIEW = "view";
    static final String AT = "at";

    static final String FAMILY = "family";
    static final String RD = "rd";

    static final List<String> NAMES = List.of(
            PREFIX,
            MATCH,
            "nlri",
            ROUTER,
            PEER,
            VIEW,
            FAMILY,
            RD,
            "origin_asn",
            "as_path_contains",
            "next_hop",
            "community",
            "attribute",
            "stale",
            RouteColumns.VALIDITY);

    /**
     * The conditions on what the primary key of the routes does not contain. The validity is not one of them: it takes
     * longer than to read the route, so it is computed prefix by prefix until the page is full.
     */
    private static final List<String> ON_ROUTES =
            List.of("nlri", "origin_asn", "as_path_contains", "next_hop", "community", "attribute", "stale");

    private static final String PREFIXES = """
            select v.prefix from (select t.prefix, t.peer_id, bmp.rib_view_text(t.rib_view) as rib_view,
              bmp.family_text(t.family) as family, case when bmp.has_rd(t.family) then bmp.rd_text(t.rd) end as rd
              from bmp.rib_route t where t.nlri = '') v
            where true""";

    /**
     * The validity, of a condition and the arguments of the function. In a station without VRPs, it is not called for
     * any row.
     */
    private static final String VALIDITY = """
            case when (select exists (select from bmp.vrp_version)) and %s then bmp.rpki_validity(%s) end""";

    private static final String AS_COLUMN = " as " + RouteColumns.VALIDITY;

    /** The validity of an event of {@code route_timeline}, at its time; the parameter is its prefix. */
    static final String VALIDITY_OF_EVENT = VALIDITY.formatted(
                    "v.event = 'announce' and v.family in ('ipv4-unicast', 'ipv4-labeled-unicast', 'ipv6-unicast',"
                            + " 'ipv6-labeled-unicast')",
                    "?::cidr, bmp.rpki_origin(v.as_path, v.peer_asn), v.received_at")
            + AS_COLUMN;

    /** The validity of a route; the parameter is the time, or null for the present. */
    private static final String VALIDITY_OF_ROUTE = VALIDITY.formatted(
            "v.safi in (1, 4)", "v.prefix, bmp.rpki_origin(v.as_path, v.peer_asn), coalesce(?::timestamptz, now())");

    /** The same for a row of {@code compare_views}: of the route after policy, or else before it. */
    static final String VALIDITY_OF_COMPARISON = VALIDITY.formatted(
                    "v.family in ('ipv4-unicast', 'ipv4-labeled-unicast', 'ipv6-unicast', 'ipv6-labeled-unicast')"
                            + " and w.route is not null",
                    "v.prefix, bmp.rpki_origin(w.route->>'as_path', v.peer_asn), coalesce(?::timestamptz, now())")
            + AS_COLUMN;

    /** The route w of a row v of {@code compare_views}; null if none is advertised to the peer. */
    static final String ROUTE_OF_COMPARISON = """
            (select case v.direction when 'in' then coalesce(v.adj_rib_in_post, v.adj_rib_in_pre)
              when 'out' then coalesce(v.adj_rib_out_post, v.adj_rib_out_pre) else v.loc_rib end as route) w""";

    /** The validities of a difference, at its two times; the parameters are the times, null for the present. */
    static final String VALIDITIES_OF_DIFFERENCE = Stream.of("old_", "new_")
            .map(side -> VALIDITY.formatted(
                            "v.safi in (1, 4) and v.change <> '" + (side.equals("old_") ? "added" : "removed") + "'",
                            "v.prefix, bmp.rpki_origin(v." + side
                                    + "as_path, v.peer_asn), coalesce(?::timestamptz, now())")
                    + " as " + side + RouteColumns.VALIDITY)
            .collect(Collectors.joining(", "));

    private static final List<String> VALIDITIES =
            Arrays.stream(Validity.values()).map(Validity::text).toList();

    private static final List<String> VERDICTS =
            Arrays.stream(AspaVerdict.values()).map(AspaVerdict::text).toList();

    private static final List<String> VIEWS =
            Arrays.stream(RibView.values()).map(RibView::text).toList();
    private static final List<String> MATCHES = List.of("exact", "longest", "covering", "covered");

    private static final Pattern COMMUNITY = Pattern.compile("(\\d{1,5}|\\*):(\\d{1,5}|\\*)");
    private static final Pattern LARGE_COMMUNITY = Pattern.compile("(\\d{1,10}|\\*):(\\d{1,10}|\\*):(\\d{1,10}|\\*)");
    private static final Pattern EXTENDED_COMMUNITY = Pattern.compile("[a-z][a-z0-9-]*(:[A-Za-z0-9.-]+|:\\*)+");
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z0-9_]{1,64})(?::([!-~]{1,256}))?");

    private RouteFilter() {}

    static @Nullable String view(Parameters parameters) {
        return parameters.choice(VIEW, VIEWS);
    }

    /**
     * Returns a SELECT of the routes that meet the conditions.
     *
     * @param time when, or null for the current ones
     */
    static SqlQuery select(Parameters parameters, @Nullable OffsetDateTime time) {
        var match = parameters.choice(MATCH, MATCHES);
        if (match != null) {
            parameters.required(PREFIX, parameters.prefix(PREFIX));
        }
        var prefix = parameters.prefix(PREFIX);
        if (prefix != null && "longest".equals(match)) {
            var query = longest(parameters, time, prefix);
            addAttributes(query, parameters, time);
            return query;
        }
        var query = new SqlQuery().add("select v.*,").add(VALIDITY_OF_ROUTE + AS_COLUMN, time);
        addSource(query, parameters, time);
        if (prefix != null) {
            addPrefix(query, prefix, match == null ? "exact" : match);
        }
        addTable(query, parameters);
        addAttributes(query, parameters, time);
        return query;
    }

    /**
     * Returns a SELECT of the prefixes of the current routes that {@link #select} selects, from an index that contains
     * all that the conditions use. Null if there are conditions on what it does not contain, or for few prefixes.
     */
    static @Nullable SqlQuery prefixes(Parameters parameters) {
        var match = parameters.text(MATCH);
        if (parameters.has(PREFIX) && !"covered".equals(match)
                || ON_ROUTES.stream().anyMatch(name -> !parameters.texts(name).isEmpty())) {
            return null;
        }
        var query = new SqlQuery().add(PREFIXES);
        var prefix = parameters.prefix(PREFIX);
        if (prefix != null) {
            addPrefix(query, prefix, "covered");
        }
        addTable(query, parameters);
        return query;
    }

    /** Returns a SELECT of the routes with the longest prefix that covers a prefix, for each peer, view and RD. */
    static SqlQuery longest(Parameters parameters, @Nullable OffsetDateTime time, IpPrefix prefix) {
        var query = new SqlQuery()
                .add("select v.*,")
                .add(VALIDITY_OF_ROUTE + AS_COLUMN + ", null::text as " + RouteColumns.ASPA, time)
                .add("from (select v.*, rank() over (partition by v.peer_id, v.rib_view, v.rd")
                .add("order by masklen(v.prefix) desc) as place");
        addSource(query, parameters, time);
        addPrefix(query, prefix, "covering");
        addTable(query, parameters);
        if (!parameters.has(FAMILY) && !parameters.has(RD)) {
            query.add("and v.safi in (1, 4)");
        }
        return query.add(") v where v.place = 1");
    }

    private static void addSource(SqlQuery query, Parameters parameters, @Nullable OffsetDateTime time) {
        if (time == null) {
            query.add("from bmp.v_rib v where true");
        } else {
            query.add(
                    "from bmp.rib_at(?, ?, ?::inet, ?) v where true",
                    time,
                    parameters.text(ROUTER),
                    parameters.address(PEER),
                    view(parameters));
        }
    }

    private static void addPrefix(SqlQuery query, IpPrefix prefix, String match) {
        var condition = switch (match) {
            case "covered" -> "and v.prefix <<= ?::cidr";
            case "exact" -> "and v.prefix = ?::cidr";
            default -> "and v.prefix = any (bmp.covering(?::inet))";
        };
        query.add(condition, prefix.toString());
    }

    static void addTable(SqlQuery query, Parameters parameters) {
        var router = parameters.text(ROUTER);
        var peer = parameters.address(PEER);
        if (router != null || peer != null) {
            query.add("and v.peer_id = any ((select bmp.peer_ids(?, ?::inet))::integer[])", router, peer);
        }
        query.addIfPresent("and v.rib_view = ?", view(parameters));
        addFamily(query, parameters);
    }

    /** Adds the conditions on the family and the route distinguisher. */
    static void addFamily(SqlQuery query, Parameters parameters) {
        query.addIfPresent("and v.family = ?", familyName(parameters));
        var rd = parameters.text(RD);
        if (rd != null) {
            try {
                query.add("and v.rd = ?", RouteDistinguisher.text(RouteDistinguisher.parse(rd)));
            } catch (IllegalArgumentException e) {
                throw Parameters.invalid(RD, "must be a route distinguisher such as 64500:1, not '" + rd + "'");
            }
        }
    }

    private static @Nullable String familyName(Parameters parameters) {
        var family = family(parameters);
        return family == null ? null : Family.text(family);
    }

    /** Returns the AFI and SAFI of the parameter {@code family}, null without it. */
    static @Nullable Integer family(Parameters parameters) {
        var name = parameters.text(FAMILY);
        try {
            return name == null ? null : Integer.valueOf(Family.of(name));
        } catch (IllegalArgumentException e) {
            throw Parameters.invalid(FAMILY, Objects.requireNonNull(e.getMessage()));
        }
    }

    private static void addAttributes(SqlQuery query, Parameters parameters, @Nullable OffsetDateTime time) {
        query.addIfPresent("and v.nlri = ?", parameters.text("nlri"));
        query.addIfPresent("and v.origin_asn = ?", parameters.asn("origin_asn"));
        query.addIfPresent("and ? = any (v.as_path_asns)", parameters.asn("as_path_contains"));
        query.addIfPresent("and v.next_hop = ?::inet", parameters.address("next_hop"));
        for (var community : parameters.texts("community")) {
            addCommunity(query, community);
        }
        for (var attribute : parameters.texts("attribute")) {
            var parts = ATTRIBUTE.matcher(attribute);
            if (!parts.matches()) {
                throw Parameters.invalid(
                        "attribute",
                        "must be the name of an attribute such as otc, or its name and value such as otc:64500, not '"
                                + attribute + "'");
            }
            query.add("and jsonb_exists(v.attributes, ?)", parts.group(1));
            if (parts.group(2) != null) {
                query.add("and v.attributes->>cast(? as text) = ?", parts.group(1), parts.group(2));
            }
        }
        query.addIfPresent("and v.stale = ?", parameters.flag("stale"));
        addValidity(query, parameters, time);
    }

    static @Nullable String validity(Parameters parameters) {
        return parameters.choice(RouteColumns.VALIDITY, VALIDITIES);
    }

    /**
     * Returns the verdict that routes must have; null for any.
     *
     * @param hasVerdicts whether the answer comes from the RIB, which has verdicts
     */
    static @Nullable String verdict(Parameters parameters, boolean hasVerdicts) {
        var verdict = parameters.choice(RouteColumns.ASPA, VERDICTS);
        if (verdict != null && !hasVerdicts) {
            throw Parameters.invalid(
                    RouteColumns.ASPA,
                    "needs the present routes of a station with the role rib, and fields that its RIB has");
        }
        return verdict;
    }

    /** Adds the condition on the validity of the routes that a query selects. */
    static void addValidity(SqlQuery query, Parameters parameters, @Nullable OffsetDateTime time) {
        var validity = validity(parameters);
        if (validity != null) {
            query.add("and " + VALIDITY_OF_ROUTE + " = ?", time, validity);
        }
    }

    /** A community without an asterisk is compared as a whole; an asterisk stands for any value of its part. */
    private static void addCommunity(SqlQuery query, String community) {
        String column;
        if (COMMUNITY.matcher(community).matches()) {
            column = "v.communities";
        } else if (LARGE_COMMUNITY.matcher(community).matches()) {
            column = "v.large_communities";
        } else if (EXTENDED_COMMUNITY.matcher(community).matches()) {
            column = "v.ext_communities";
        } else {
            throw Parameters.invalid(
                    "community",
                    "must be such as 64500:1, 64500:1:2 (large) or rt:64500:1 (extended), with * for any value of a part,"
                            + " not '" + community + "'");
        }
        if (community.indexOf('*') < 0) {
            query.add("and ? = any (" + column + ")", community);
        } else {
            var regex = "^" + community.replace(".", "\\.").replace("*", "[^:]+") + "$";
            query.add("and exists (select from unnest(" + column + ") c where c ~ ?)", regex);
        }
    }
}
