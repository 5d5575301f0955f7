package dev.silkroute.component;

import java.util.List;

/**
 * The metrics of the station: the one declaration from which meters are registered ({@link MeterGroup}) and {@code
 * docs/reference/metrics.md} is generated. A name ends with its unit where it has one; Prometheus adds {@code _total}
 * to counters. The class does not refer to Micrometer, so that components work without it.
 */
public enum Metric {
    BMP_SESSIONS(Type.GAUGE, "bmp.sessions", "Open BMP sessions"),
    BMP_SESSIONS_WAITING(
            Type.GAUGE,
            "bmp.sessions.waiting",
            "Sessions that wait for memory within the limit of all sessions (silkroute.sessions.max-held-bytes)"),
    BMP_SESSIONS_BEHIND(
            Type.GAUGE,
            "bmp.sessions.behind",
            "Sessions that wait until earlier sessions of their router are acknowledged"),
    BMP_SESSIONS_DELAYED(
            Type.COUNTER,
            "bmp.sessions.delayed",
            "Sessions that had to wait until earlier sessions of their router were acknowledged"),
    BMP_SESSIONS_REJECTED(
            Type.COUNTER, "bmp.sessions.rejected", "Connections rejected because a limit of sessions was reached"),
    BMP_QUOTA_EXCEEDED(
            Type.COUNTER,
            "bmp.quota.exceeded",
            "How often a source address has exceeded a quota: a rejected session or a pause in reading",
            "quota"),
    BMP_SESSIONS_SLOWED(
            Type.COUNTER,
            "bmp.sessions.slowed",
            "How often a session had to wait because it had more than its share of what the lanes had not stored"),
    BMP_SESSIONS_DUMPING(
            Type.GAUGE,
            "bmp.sessions.dumping",
            "Sessions that send their tables, at most silkroute.sessions.max-dumping; without those of at most 64 KiB"),
    BMP_DUMPS_WAITING(Type.GAUGE, "bmp.dumps.waiting", "Sessions that wait until others have sent their tables"),
    BMP_DUMPS_WAIT(
            Type.GAUGE,
            "bmp.dumps.wait.seconds",
            "For how long the session that waits longest has waited until others have sent their tables"),
    BMP_DUMPS_ENDED(
            Type.COUNTER,
            "bmp.dumps.ended",
            "Sessions that have ceased to count as sending their tables, by reason",
            "reason"),
    BMP_SESSIONS_ENDED(Type.COUNTER, "bmp.sessions.ended", "BMP sessions that have ended, by reason", "reason"),
    BMP_SESSION_IDLE(
            Type.GAUGE,
            "bmp.session.idle.seconds",
            "Time since the last byte of a router's session was read",
            "router",
            "address"),
    BMP_SESSION_MESSAGES(
            Type.GAUGE,
            "bmp.session.messages",
            "BMP messages that a router's session has sent so far; begins at 0 with each session",
            "router",
            "address"),
    BMP_ROUTER_CLOCK_SKEW(
            Type.GAUGE,
            "bmp.router.clock.skew.seconds",
            "Time by which a router's clock is behind the station's, from its messages of the last minutes",
            "router",
            "address"),
    BMP_ROUTERS_OMITTED(
            Type.GAUGE,
            "bmp.routers.omitted",
            "Routers without metrics of their own because the limit was reached (silkroute.sessions.metrics-limit)"),
    BMP_LISTENER_OPEN(
            Type.GAUGE,
            "bmp.listener.open",
            "1 while a listener of silkroute.bmp-listeners accepts connections, else 0",
            "listener"),
    BMP_LISTENER_ACCEPTED(
            Type.COUNTER,
            "bmp.listener.accepted",
            "Connections that a listener of silkroute.bmp-listeners has accepted, also those that were rejected then",
            "listener"),
    BMP_CONNECTED(
            Type.GAUGE,
            "bmp.connect.established",
            "1 while the connection to a router of silkroute.bmp-connect.addresses is open, else 0",
            "address"),
    BMP_CONNECT_ATTEMPTS(
            Type.COUNTER,
            "bmp.connect.attempts",
            "Attempts to connect to a router of silkroute.bmp-connect.addresses that have ended, by outcome (established,"
                    + " failed)",
            "address",
            "outcome"),
    BMP_HELD(Type.GAUGE, "bmp.held.bytes", "Bytes of BMP messages between socket and Kafka"),
    BMP_DECODED(
            Type.GAUGE,
            "bmp.decoded.messages",
            "Messages that are decoded and not yet in Kafka (silkroute.sessions.max-decoded-messages)"),
    BMP_PARTIAL(
            Type.GAUGE,
            "bmp.partial.bytes",
            "Bytes of incomplete BMP messages; messages of 8 KiB and less are not counted"),
    BMP_READING_PAUSED(
            Type.GAUGE,
            "bmp.reading.paused",
            "1 while reading from all routers is stopped for lack of free space, or because the system clock is wrong"),
    CLOCK_IMPLAUSIBLE(
            Type.GAUGE,
            "silkroute.clock.implausible",
            "1 while the system clock is before 2020 or after 2199 and reading from all routers is stopped"),
    DATA_DIRECTORY_FREE(Type.GAUGE, "silkroute.data.directory.free.bytes", "Free space of the data directory"),
    BMP_MESSAGES(Type.COUNTER, "bmp.messages", "BMP messages decoded, by type", "type"),
    BMP_BATCHES(Type.COUNTER, "bmp.batches", "Decoded batches; one of more than 2048 messages counts several times"),
    BMP_ROUTE_EVENTS(
            Type.COUNTER,
            "bmp.route.events",
            "Events of route batches: announcements, withdrawals, End-of-RIB, changes of peers and sessions"),
    BMP_RECORDS(Type.COUNTER, "bmp.records", "JSON records produced besides route batches, by kind", "kind"),
    BMP_DECODE_OUTCOMES(
            Type.COUNTER,
            "bmp.decode.outcomes",
            "Errors in UPDATEs that were decoded nevertheless (RFC 7606), by outcome",
            "outcome"),
    BMP_ANOMALIES(
            Type.COUNTER, "bmp.anomalies", "Behaviour of routers that BMP does not provide for, by anomaly", "anomaly"),

    PGCOPY_ROWS(Type.COUNTER, "silkroute.pgcopy.rows", "Rows written to PostgreSQL", "lane"),
    PGCOPY_RECORDS(Type.COUNTER, "silkroute.pgcopy.records", "Kafka records stored in PostgreSQL", "lane"),
    PGCOPY_TRANSACTIONS(Type.COUNTER, "silkroute.pgcopy.transactions", "Transactions that stored something", "lane"),
    PGCOPY_SUPERSEDED(
            Type.COUNTER,
            "silkroute.pgcopy.superseded.events",
            "Events that were not stored because their router has a newer session, such as one with another collector",
            "lane"),
    PGCOPY_DUPLICATES(Type.COUNTER, "silkroute.pgcopy.duplicates", "Records read again and not stored again", "lane"),
    PGCOPY_GAPS(Type.COUNTER, "silkroute.pgcopy.gaps", "Gaps: records expired before the lane had read them", "lane"),
    PGCOPY_GAP_RECORDS(Type.COUNTER, "silkroute.pgcopy.gap.records", "Records in gaps", "lane"),
    INCOMPLETE_ROUTERS(
            Type.GAUGE,
            "silkroute.incomplete.routers",
            "Connected routers of which records are missing, so that their routes count as stale"),
    PGCOPY_QUARANTINED(
            Type.COUNTER,
            "silkroute.pgcopy.quarantined",
            "Records, or parts of records, that could not be stored",
            "lane"),
    PGCOPY_QUARANTINED_EVENTS(
            Type.COUNTER,
            "silkroute.pgcopy.quarantined.events",
            "Events in records, or parts of records, that could not be stored",
            "lane"),
    PGCOPY_RETRIES(Type.COUNTER, "silkroute.pgcopy.retries", "Retries after a failure of the database", "lane"),
    PGCOPY_REJECTED(
            Type.COUNTER,
            "silkroute.pgcopy.rejected",
            "Batches rejected because they did not continue at the lane's offset",
            "lane"),
    PGCOPY_ATTRIBUTE_SETS(
            Type.COUNTER,
            "silkroute.pgcopy.attribute.sets",
            "Attribute sets of route batches, by whether they were known to be in the database",
            "known"),
    PGCOPY_DUMP_FILTER(
            Type.GAUGE, "silkroute.pgcopy.dump.filter.bytes", "Memory of the filters of table dumps in progress"),
    PGCOPY_DUMP_ROUTES(Type.COUNTER, "silkroute.pgcopy.dump.routes", "Routes of table dumps stored without a merge"),
    PGCOPY_DUMP_CONFLICTS(
            Type.COUNTER,
            "silkroute.pgcopy.dump.conflicts",
            "Transactions with a table dump that were repeated as a merge, because a route existed"),
    LANE_LAG(
            Type.GAUGE,
            "silkroute.lane.lag.records",
            "Records of a partition that a lane has not stored yet",
            "lane",
            "topic",
            "partition"),

    PGSTATE_WITHDRAWN_ROUTES(
            Type.COUNTER, "silkroute.pgstate.withdrawn.routes", "Routes withdrawn by the station, by cause", "cause"),
    PGSTATE_EXPIRED_TABLES(
            Type.COUNTER,
            "silkroute.pgstate.expired.tables",
            "Tables, the routes of a peer in one view, that ended because of a timeout"),
    PGSTATE_PURGES(Type.COUNTER, "silkroute.pgstate.purges", "Purges that completed"),
    PGSTATE_PURGE_FAILURES(Type.COUNTER, "silkroute.pgstate.purge.failures", "Purges that failed"),
    PGSTATE_PENDING_TABLES(
            Type.GAUGE, "silkroute.pgstate.pending.tables", "Ended tables whose routes are not all removed yet"),
    PGSTATE_PENDING_WITHDRAWALS(Type.GAUGE, "silkroute.pgstate.pending.withdrawals", "Withdrawals in the outbox"),
    PGSTATE_LAST_PURGE(
            Type.GAUGE,
            "silkroute.pgstate.last.purge.timestamp.seconds",
            "When the last purge completed, in seconds since 1970; 0 before the first"),
    PGSTATE_LAST_PURGE_DURATION(
            Type.GAUGE, "silkroute.pgstate.last.purge.duration.seconds", "How long the last purge took"),

    PGPIPE_DURATION(
            Type.TIMER,
            "silkroute.pgpipe.pipeline.duration.seconds",
            "Pipelines executed by PostgreSQL, and their duration including the wait for a connection",
            "pool"),
    PGPIPE_STATEMENTS(Type.COUNTER, "silkroute.pgpipe.statements", "Statements in pipelines", "pool"),
    PGPIPE_FAILURES(Type.COUNTER, "silkroute.pgpipe.failures", "Pipelines that failed", "pool"),
    PGPIPE_UNKNOWN(Type.COUNTER, "silkroute.pgpipe.unknown", "Pipelines that may or may not have been applied", "pool"),
    PGPIPE_CANCELLED(
            Type.COUNTER, "silkroute.pgpipe.cancelled", "Pipelines that timed out or were interrupted", "pool"),
    PGPIPE_REJECTED(
            Type.COUNTER, "silkroute.pgpipe.rejected", "Pipelines rejected because no connection became free", "pool"),
    PGPIPE_PREPARED(Type.COUNTER, "silkroute.pgpipe.prepared", "Statements that had to be prepared", "pool"),
    PGPIPE_REUSED(Type.COUNTER, "silkroute.pgpipe.reused", "Statements that were prepared already", "pool"),
    PGPIPE_CONNECTIONS_OPENED(Type.COUNTER, "silkroute.pgpipe.connections.opened", "Connections opened", "pool"),
    PGPIPE_CONNECTIONS_LOST(
            Type.COUNTER, "silkroute.pgpipe.connections.lost", "Connections lost or closed after a failure", "pool"),
    PGPIPE_CONNECTIONS_BUSY(Type.GAUGE, "silkroute.pgpipe.connections.busy", "Connections in use", "pool"),
    PGPIPE_CONNECTIONS_IDLE(Type.GAUGE, "silkroute.pgpipe.connections.idle", "Idle connections", "pool"),
    PGPIPE_WAITING(Type.GAUGE, "silkroute.pgpipe.waiting", "Callers waiting for a connection", "pool"),

    MAINTENANCE_STEP_DURATION(
            Type.TIMER,
            "silkroute.maintenance.step.duration.seconds",
            "Completed steps of the maintenance of tables, and their duration",
            "step"),
    MAINTENANCE_FAILURES(
            Type.COUNTER,
            "silkroute.maintenance.failures",
            "Steps of the maintenance of tables that failed and are retried by the next run",
            "step"),
    RECONCILE_TABLES(
            Type.GAUGE,
            "silkroute.reconcile.tables",
            "Tables by comparison of their size with their router's statistics: equal, differs, or unknown without"
                    + " statistics",
            "view",
            "state"),
    RECONCILE_ALARM(
            Type.GAUGE,
            "silkroute.reconcile.alarm",
            "1 while a table has differed from its router's statistics for longer than silkroute.reconcile.alarm-after"),
    RECONCILE_READS(Type.GAUGE, "silkroute.reconcile.reads", "Reads of the RIB for digests that are running"),

    RIB_ROUTES(Type.GAUGE, "silkroute.rib.routes", "Routes in the RIB", "role"),
    RIB_ROUTER_ROUTES(
            Type.GAUGE,
            "silkroute.rib.router.routes",
            "Routes of a router in the RIB, by view and family",
            "router",
            "view",
            "family"),
    RIB_ROUTER_STALE_ROUTES(
            Type.GAUGE,
            "silkroute.rib.router.stale.routes",
            "Routes of a router in the RIB that its live session has not announced",
            "router"),
    RIB_PEER_ROUTES(
            Type.GAUGE, "silkroute.rib.peer.routes", "Routes of a peer in the RIB, by view", "router", "peer", "view"),
    RIB_PEERS_OMITTED(
            Type.GAUGE,
            "silkroute.rib.peers.omitted",
            "Peers with routes, but without metrics of their own because the limit was reached"
                    + " (silkroute.rib.metrics-limit)"),
    RIB_ROUTES_HIDDEN(Type.GAUGE, "silkroute.rib.routes.hidden", "Ended routes that are still to be purged", "role"),
    RIB_PREFIXES(
            Type.GAUGE,
            "silkroute.rib.prefixes",
            "Distinct prefixes per table and RD, and NLRI of other families",
            "role"),
    RIB_ATTRIBUTE_SETS(Type.GAUGE, "silkroute.rib.attribute.sets", "Distinct attribute sets in the RIB", "role"),
    RIB_PEERS(Type.GAUGE, "silkroute.rib.peers", "Peers that have or had routes", "role"),
    RIB_RESERVED(Type.GAUGE, "silkroute.rib.reserved.bytes", "Memory reserved by the RIB", "role"),
    RIB_LIMIT(Type.GAUGE, "silkroute.rib.limit.bytes", "Limit of the memory reserved by the RIB", "role"),
    RIB_INDEX(
            Type.GAUGE,
            "silkroute.rib.index.bytes",
            "Memory of the RIB's indexes of attributes, beside the memory reserved",
            "role"),
    RIB_REJECTED_ROUTES(
            Type.GAUGE,
            "silkroute.rib.rejected.routes",
            "Announced routes that are missing because they were rejected for lack of memory or of a table, or because"
                    + " their rows in the database were invalid when the RIB was loaded",
            "role"),
    RIB_EVICTED_ROUTES(
            Type.GAUGE,
            "silkroute.rib.evicted.routes",
            "Routes removed since the start to make room for those of other routers",
            "role"),
    RIB_EVENTS(Type.COUNTER, "silkroute.rib.events", "Events by their outcome in the RIB", "role", "outcome"),
    RIB_GAP_RECORDS(
            Type.COUNTER,
            "silkroute.rib.gap.records",
            "Records that expired in Kafka before the RIB read them, and that the database does not include either"),
    RIB_INVALID_ROWS(
            Type.COUNTER,
            "silkroute.rib.invalid.rows",
            "Rows of the current state in the database that the RIB has left out while loading, because they are"
                    + " invalid"),

    HTTP_QUERIES(
            Type.GAUGE,
            "silkroute.http.queries",
            "Concurrent queries of the REST API, including answers that are being sent"),
    NAMES_ENTRIES(
            Type.GAUGE,
            "silkroute.names.entries",
            "Routers and peers with labels, and autonomous systems with names, in the files in use",
            "file"),
    NAMES_WRITTEN(
            Type.GAUGE,
            "silkroute.names.written.seconds",
            "When the file in use was written, in seconds since 1970; 0 before one was loaded",
            "file"),
    TRACING_SPANS(
            Type.COUNTER,
            "silkroute.tracing.spans",
            "Spans of traced batches that the receiver accepted (sent), that could not be sent (failed), or for which too many were waiting (dropped)",
            "outcome"),
    RPKI_VRPS(Type.GAUGE, "silkroute.rpki.vrps", "Different VRPs by which routes are validated"),
    RPKI_ASPAS(Type.GAUGE, "silkroute.rpki.aspas", "Customer ASes whose ASPAs are used to verify AS paths"),
    RPKI_ASPAS_REJECTED(
            Type.GAUGE,
            "silkroute.rpki.aspas.rejected",
            "Entries of `aspas` in the file in use that are not valid ASPAs and are not used"),
    RPKI_WRITTEN(
            Type.GAUGE,
            "silkroute.rpki.written.seconds",
            "When the VRP file in use was written or the last End of Data in use was received, in seconds since 1970"),
    RPKI_HISTORY_ROWS(
            Type.GAUGE,
            "silkroute.rpki.history.rows",
            "VRPs that are stored with the time of their use, current and withdrawn; 0 in a station that does not store them"),
    RPKI_HISTORY_CHANGES(
            Type.COUNTER, "silkroute.rpki.history.changes", "VRPs stored as announced or withdrawn", "change"),
    RPKI_HISTORY_PURGED(
            Type.COUNTER,
            "silkroute.rpki.history.purged",
            "Withdrawn VRPs deleted because of their age or number (silkroute.rpki.versions.retention, max-withdrawn)"),
    RPKI_HISTORY_FAILURES(
            Type.COUNTER,
            "silkroute.rpki.history.failures",
            "Failed attempts to store the VRPs in use, which are repeated"),
    RPKI_RTR_SYNCHRONIZED(
            Type.GAUGE,
            "silkroute.rpki.rtr.synchronized",
            "1 while the station is connected to the RTR cache and has received its data, else 0",
            "cache"),
    RPKI_RTR_USED(
            Type.GAUGE, "silkroute.rpki.rtr.used", "1 if the VRPs in use are those of the RTR cache, else 0", "cache"),
    RPKI_RTR_VRPS(
            Type.GAUGE,
            "silkroute.rpki.rtr.vrps",
            "VRPs that the RTR cache has sent, before local exceptions",
            "cache"),
    RPKI_RTR_ASPAS(
            Type.GAUGE, "silkroute.rpki.rtr.aspas", "ASPAs that the RTR cache sent with its last End of Data", "cache"),
    RPKI_RTR_SERIAL(Type.GAUGE, "silkroute.rpki.rtr.serial", "Serial number of the data of the RTR cache", "cache"),
    RPKI_RTR_END_OF_DATA(
            Type.GAUGE,
            "silkroute.rpki.rtr.end.of.data.seconds",
            "When the last End of Data of the RTR cache was received, in seconds since 1970",
            "cache"),
    RPKI_RTR_FAILURES(
            Type.COUNTER,
            "silkroute.rpki.rtr.failures",
            "Connections to the RTR cache that could not be made or have ended, for any reason",
            "cache"),
    RPKI_RTR_ERRORS(
            Type.COUNTER,
            "silkroute.rpki.rtr.errors",
            "Error Reports sent to and received from the RTR cache",
            "cache",
            "direction",
            "error"),
    RPKI_RTR_IGNORED(
            Type.COUNTER,
            "silkroute.rpki.rtr.ignored",
            "Router keys of the RTR cache, which are not used",
            "cache",
            "type"),

    ALERTS_RULES(Type.GAUGE, "silkroute.alerts.rules", "Monitored prefixes in the alert rules in use"),
    ALERTS_RULES_WRITTEN(
            Type.GAUGE,
            "silkroute.alerts.rules.written.seconds",
            "When the file of the alert rules in use was written, in seconds since 1970"),
    ALERTS_OPEN(Type.GAUGE, "silkroute.alerts.open", "Open alerts on routes"),
    ALERTS_ROUTES(Type.GAUGE, "silkroute.alerts.routes", "Routes that are evaluated for alerts"),
    ALERTS_OMITTED(
            Type.COUNTER,
            "silkroute.alerts.omitted",
            "Announcements, reports and undecodable messages that were not evaluated or counted for alerts because a limit was reached (silkroute.alerts.max-routes, max-tables, max-counted-routes)"),
    ALERTS_INVALID_ROWS(
            Type.COUNTER,
            "silkroute.alerts.invalid.rows",
            "Rows of the current state in the database that the alerts have left out while loading, because they are"
                    + " invalid"),
    ALERTS_MESSAGES(Type.GAUGE, "silkroute.alerts.messages", "Undecodable messages that are remembered for alerts"),
    ALERTS_TABLES(Type.GAUGE, "silkroute.alerts.tables", "Tables whose routes are counted for alerts"),
    ALERTS_COUNTED_ROUTES(Type.GAUGE, "silkroute.alerts.counted.routes", "Routes in these tables"),
    ALERTS_WEBHOOK(
            Type.COUNTER,
            "silkroute.alerts.webhook.changes",
            "Changes of alerts by the outcome of their delivery to the webhook: delivered, failed or outdated",
            "outcome"),
    ALERTS_WEBHOOK_RETRIES(
            Type.COUNTER, "silkroute.alerts.webhook.retries", "Requests to the webhook that were sent again"),

    LIVE_SUBSCRIBERS(Type.GAUGE, "silkroute.live.subscribers", "Subscribers of the live stream"),
    LIVE_SUBSCRIBERS_REJECTED(
            Type.COUNTER, "silkroute.live.subscribers.rejected", "Subscribers rejected because there were too many"),
    LIVE_QUEUED(
            Type.GAUGE,
            "silkroute.live.queued.bytes",
            "Messages in the queues of subscribers; a message counts for each of them"),
    LIVE_RECENT(Type.GAUGE, "silkroute.live.recent.bytes", "Route batches kept for subscribers that resume"),
    LIVE_PUBLISHED(Type.COUNTER, "silkroute.live.messages.published", "Messages of the live stream"),
    LIVE_ENCODED(
            Type.COUNTER, "silkroute.live.messages.encoded", "Messages of the live stream that were encoded as JSON"),
    LIVE_MATCHED(
            Type.COUNTER,
            "silkroute.live.messages.matched",
            "Messages for subscribers: delivered, missed, discarded or still in a queue"),
    LIVE_MESSAGES(Type.COUNTER, "silkroute.live.messages", "Messages for subscribers by outcome", "outcome"),

    FLOWS_RECORDS(
            Type.COUNTER,
            "silkroute.flows.http.records",
            "Flow records received over HTTP, by outcome: enriched or rejected",
            "outcome"),
    FLOWS_UNANSWERED(
            Type.COUNTER,
            "silkroute.flows.http.unanswered",
            "Requests answered with 503: too many at once, the RIB not loaded yet, or no response from Kafka in time"),

    NETTY_FF_ACCEPTED(
            Type.COUNTER,
            "silkroute.netty.ff.accepted.messages",
            "Messages accepted for sending",
            "address",
            "endpoint"),
    NETTY_FF_WRITTEN(
            Type.COUNTER,
            "silkroute.netty.ff.written.messages",
            "Messages written to the socket",
            "address",
            "endpoint"),
    NETTY_FF_FAILED(
            Type.COUNTER,
            "silkroute.netty.ff.failed.messages",
            "Messages accepted but lost before they were written",
            "address",
            "endpoint"),
    NETTY_FF_DROPPED(
            Type.COUNTER,
            "silkroute.netty.ff.dropped.messages",
            "Messages dropped because the buffer was full",
            "address",
            "endpoint"),
    NETTY_FF_REJECTED(
            Type.COUNTER,
            "silkroute.netty.ff.rejected.messages",
            "Messages rejected, whose exchange failed",
            "address",
            "endpoint"),
    NETTY_FF_PENDING(
            Type.GAUGE,
            "silkroute.netty.ff.pending.messages",
            "Messages accepted and not yet written or lost",
            "address",
            "endpoint"),
    NETTY_FF_PENDING_BYTES(
            Type.GAUGE, "silkroute.netty.ff.pending.bytes", "Bytes of the pending messages", "address", "endpoint"),
    NETTY_FF_FLUSHES(Type.COUNTER, "silkroute.netty.ff.flushes", "Buffers handed to the socket", "address", "endpoint"),
    NETTY_FF_RECONNECTS(
            Type.COUNTER, "silkroute.netty.ff.reconnects", "Connections after the first", "address", "endpoint"),
    NETTY_FF_BLOCKED(
            Type.COUNTER,
            "silkroute.netty.ff.blocked.seconds",
            "Time that senders have waited for space",
            "address",
            "endpoint");

    /** The kinds of metrics. A timer is a summary in Prometheus: {@code _count}, {@code _sum}. */
    public enum Type {
        COUNTER,
        GAUGE,
        TIMER
    }

    private final Type type;
    private final String meterName;
    private final String description;
    private final List<String> tags;

    Metric(Type type, String meterName, String description, String... tags) {
        this.type = type;
        this.meterName = meterName;
        this.description = description;
        this.tags = List.of(tags);
    }

    public Type type() {
        return type;
    }

    /** Returns the name in Micrometer, such as {@code bmp.held.bytes}. */
    public String meterName() {
        return meterName;
    }

    /** Returns the name in Prometheus, such as {@code bmp_sessions_ended_total}. */
    public String prometheusName() {
        return meterName.replace('.', '_') + (type == Type.COUNTER ? "_total" : "");
    }

    public String description() {
        return description;
    }

    /** Returns the keys of the tags that each meter of the metric has. */
    public List<String> tags() {
        return tags;
    }
}
