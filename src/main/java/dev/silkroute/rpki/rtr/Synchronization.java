package dev.silkroute.rpki.rtr;

import dev.silkroute.net.BigEndian;
import dev.silkroute.rpki.AspaChanges;
import dev.silkroute.rpki.AspaTable;
import dev.silkroute.rpki.Vrp;
import dev.silkroute.rpki.VrpChanges;
import dev.silkroute.rpki.VrpFile;
import dev.silkroute.rpki.VrpTable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The router's side of one connection to a cache. Each query returns at End of Data, or fails and leaves the data of
 * before as they are; after a failure, the connection must be closed. A violation of the protocol is reported to the
 * cache before it is thrown. Methods block; for one thread.
 */
public final class Synchronization {
    public static final int HIGHEST_VERSION = 2;

    private final PduReader in;
    private final OutputStream out;
    private final LongAdder routerKeys;
    private int version;
    private boolean negotiated;

    /**
     * @param version of the first query, which the answer may lower
     * @param routerKeys counts router keys, which the station does not use
     */
    public Synchronization(InputStream in, OutputStream out, int version, LongAdder routerKeys) {
        this.in = new PduReader(in);
        this.out = out;
        this.version = version;
        this.routerKeys = routerKeys;
    }

    /**
     * Queries the changes since earlier data of the cache, or all of its data.
     *
     * @param previous null to query all data
     * @throws RtrException if the cache violates the protocol
     * @throws CacheErrorException if the cache reports an error
     * @throws VersionException if the cache requires a new connection with a lower version
     */
    public CacheData query(@Nullable CacheData previous)
            throws IOException, RtrException, CacheErrorException, VersionException {
        try {
            return answer(previous);
        } catch (RtrException e) {
            report(e);
            throw e;
        } catch (EOFException e) {
            if (previous == null && !negotiated && version > 0) { // instead of the Error Report that RFC 8210 requires
                throw new VersionException(version - 1, "has closed the connection without an answer");
            }
            throw e;
        }
    }

    private CacheData answer(@Nullable CacheData base)
            throws IOException, RtrException, CacheErrorException, VersionException {
        send(
                base == null
                        ? PduEncoder.resetQuery(version)
                        : PduEncoder.serialQuery(version, base.sessionId(), base.serial()));
        while (true) {
            byte[] pdu = in.next();
            switch (decode(pdu, base == null)) {
                case Pdu.CacheResponse response -> {
                    return data(pdu, response.sessionId(), base);
                }
                case Pdu.CacheReset()
                when base != null -> {
                    return answer(null);
                }
                case Pdu.SerialNotify _ -> {} // a query is in progress (RFC 8210, Section 7)
                case Pdu unexpected -> throw unexpected(pdu, unexpected, "the answer to a query");
            }
        }
    }

    /** Reads the data after a Cache Response. */
    private CacheData data(byte[] response, int sessionId, @Nullable CacheData base)
            throws IOException, RtrException, CacheErrorException, VersionException {
        if (base != null && sessionId != base.sessionId()) {
            throw otherSession(response, sessionId, base.sessionId());
        }
        VrpChanges changes = new VrpChanges(base == null ? VrpTable.EMPTY : base.vrps());
        AspaChanges aspas = new AspaChanges(base == null ? AspaTable.EMPTY : base.aspas());
        while (true) {
            byte[] pdu = in.next();
            switch (decode(pdu, false)) {
                case Pdu.Prefix prefix -> apply(prefix, changes, pdu);
                case Pdu.RouterKey() -> routerKeys.increment();
                case Pdu.AspaAnnouncement announced -> apply(announced, aspas, pdu);
                case Pdu.AspaWithdrawal withdrawn -> apply(withdrawn, aspas, pdu);
                case Pdu.SerialNotify _ -> {} // the answer may be older; the next query has what is new
                case Pdu.EndOfData end -> {
                    if (end.sessionId() != sessionId) {
                        throw otherSession(pdu, end.sessionId(), sessionId);
                    }
                    if (base != null && SerialNumber.isAfter(base.serial(), end.serial())) {
                        throw new RtrException(
                                ErrorCode.CORRUPT_DATA,
                                pdu,
                                "the serial number " + Integer.toUnsignedString(end.serial()) + " is before "
                                        + Integer.toUnsignedString(base.serial()));
                    }
                    return new CacheData(
                            version, sessionId, end.serial(), end.intervals(), changes.toTable(), aspas.toTable());
                }
                case Pdu unexpected -> throw unexpected(pdu, unexpected, "data");
            }
        }
    }

    private static void apply(Pdu.Prefix prefix, VrpChanges changes, byte[] pdu) throws RtrException {
        Vrp vrp = prefix.vrp();
        if (!prefix.announcement()) {
            if (!changes.withdraw(vrp)) {
                throw new RtrException(
                        ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD, pdu, vrp + " is withdrawn and was not announced");
            }
        } else if (!changes.announce(vrp)) {
            throw new RtrException(ErrorCode.DUPLICATE_ANNOUNCEMENT_RECEIVED, pdu, vrp + " is announced twice");
        } else if (changes.size() > VrpFile.MAX_VRPS) {
            throw new RtrException(ErrorCode.INTERNAL_ERROR, pdu, "more than " + VrpFile.MAX_VRPS + " VRPs");
        }
    }

    private static void apply(Pdu.AspaAnnouncement announced, AspaChanges aspas, byte[] pdu) throws RtrException {
        aspas.announce(announced.aspa());
        if (aspas.providers() > AspaTable.MAX_PROVIDERS) {
            throw new RtrException(
                    ErrorCode.INTERNAL_ERROR, pdu, "ASPAs with more than " + AspaTable.MAX_PROVIDERS + " providers");
        }
    }

    private static void apply(Pdu.AspaWithdrawal withdrawn, AspaChanges aspas, byte[] pdu) throws RtrException {
        if (!aspas.withdraw(withdrawn.customer())) {
            throw new RtrException(
                    ErrorCode.WITHDRAWAL_OF_UNKNOWN_RECORD,
                    pdu,
                    "the ASPA of AS" + Integer.toUnsignedString(withdrawn.customer())
                            + " is withdrawn and was not announced");
        }
    }

    /**
     * Reads a PDU that the cache has sent without a query.
     *
     * @return whether it is a Serial Notify with a newer serial number than the data's
     */
    public boolean isNotified(CacheData data) throws IOException, RtrException, CacheErrorException, VersionException {
        try {
            byte[] pdu = in.next();
            return switch (decode(pdu, false)) {
                case Pdu.SerialNotify notify -> {
                    if (notify.sessionId() != data.sessionId()) {
                        throw otherSession(pdu, notify.sessionId(), data.sessionId());
                    }
                    yield SerialNumber.isAfter(notify.serial(), data.serial());
                }
                case Pdu unexpected -> throw unexpected(pdu, unexpected, "notifications");
            };
        } catch (RtrException e) {
            report(e);
            throw e;
        }
    }

    /**
     * Decodes a PDU, other than an Error Report, after checking its version (RFC 8210, Section 7). The first one may
     * have a lower version than the query, which is then the version of the connection.
     *
     * @param mayLower whether the query is valid in lower versions too, which a session id is not
     */
    private Pdu decode(byte[] pdu, boolean mayLower) throws RtrException, CacheErrorException, VersionException {
        int own = BigEndian.u8(pdu, 0);
        int type = BigEndian.u8(pdu, 1);
        boolean anyVersion =
                type == PduType.ERROR_REPORT.code() || (type == PduType.SERIAL_NOTIFY.code() && !negotiated);
        if (!anyVersion) {
            if (own != version && (negotiated || own > version)) {
                throw new RtrException(
                        negotiated ? ErrorCode.UNEXPECTED_PROTOCOL_VERSION : ErrorCode.UNSUPPORTED_PROTOCOL_VERSION,
                        pdu,
                        "a PDU has version " + own + " instead of " + version);
            }
            if (own < version && !mayLower) {
                throw new VersionException(own, "has answered a query of version " + version + " with version " + own);
            }
            version = own;
            negotiated = true;
        }
        Pdu decoded = PduDecoder.decode(pdu);
        if (decoded instanceof Pdu.ErrorReport report) {
            int lower = Math.min(report.version(), version - 1);
            if (report.code() == ErrorCode.UNSUPPORTED_PROTOCOL_VERSION && !negotiated && lower >= 0) {
                throw new VersionException(lower, "does not support version " + version);
            }
            throw new CacheErrorException(report);
        }
        return decoded;
    }

    private static RtrException otherSession(byte[] pdu, int sessionId, int expected) {
        return new RtrException(
                ErrorCode.CORRUPT_DATA, pdu, "the session id is " + sessionId + " instead of " + expected);
    }

    private static RtrException unexpected(byte[] pdu, Pdu decoded, String place) {
        return new RtrException(
                ErrorCode.CORRUPT_DATA,
                pdu,
                "a PDU of type " + BigEndian.u8(pdu, 1) + " ("
                        + decoded.getClass().getSimpleName() + ") is not allowed in " + place);
    }

    /** Sends an Error Report, unless it would be about one (RFC 8210, Section 5.11). */
    private void report(RtrException violation) {
        byte[] pdu = violation.pdu();
        if (BigEndian.u8(pdu, 1) == PduType.ERROR_REPORT.code()) {
            return;
        }
        try {
            send(PduEncoder.errorReport(version, violation.code(), pdu, String.valueOf(violation.getMessage())));
        } catch (IOException e) { // the connection is about to be closed
            violation.addSuppressed(e);
        }
    }

    private void send(byte[] pdu) throws IOException {
        out.write(pdu);
        out.flush();
    }
}
