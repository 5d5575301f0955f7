package dev.silkroute.rpki.rtr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.silkroute.net.Addresses;
import dev.silkroute.net.BigEndian;
import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.Vrp;
import java.util.ArrayList;
import java.util.List;

/**
 * Decodes PDUs, whose length {@link PduReader} has compared with their type. An IPv4 prefix PDU (RFC 8210, Section
 * 5.6), here the announcement of 192.0.2.0/24 up to /26 for AS 64500:
 *
 * <pre>
 * 01             version
 * 04             type
 * 00 00          zero
 * 00 00 00 14    length, 20 bytes
 * 01             flags: 1 announces, 0 withdraws
 * 18             prefix length
 * 1a             maximum length
 * 00             zero
 * c0 00 02 00    prefix
 * 00 00 fb f4    AS number
 * </pre>
 *
 * An ASPA PDU (draft-ietf-sidrops-8210bis, Section 5.12), here the announcement that AS 64501 and AS 64502 are the
 * providers of AS 64500:
 *
 * <pre>
 * 02             version
 * 0b             type
 * 01             flags: 1 announces, 0 withdraws, which has no providers
 * 00             zero
 * 00 00 00 14    length, 20 bytes
 * 00 00 fb f4    customer
 * 00 00 fb f5    providers; their order is ignored
 * 00 00 fb f6
 * </pre>
 *
 * Fields that must be zero are ignored.
 */
final class PduDecoder {
    private static final int FLAGS = 8;
    private static final int PREFIX_LENGTH = 9;
    private static final int MAX_LENGTH = 10;
    private static final int PREFIX = 12;
    private static final int SERIAL = 8;
    private static final int END_OF_DATA_V0 = 12;
    private static final int END_OF_DATA = 24;
    private static final int ASPA_FLAGS = 2;
    private static final int CUSTOMER = 8;
    private static final int PROVIDERS = 12;

    private PduDecoder() {}

    /**
     * Decodes a PDU of the version in its header.
     *
     * @throws RtrException if the version does not have the type, or a field is invalid
     */
    static Pdu decode(byte[] pdu) throws RtrException {
        int version = BigEndian.u8(pdu, 0);
        int code = BigEndian.u8(pdu, 1);
        return switch (PduType.of(code)) {
            case SERIAL_NOTIFY -> new Pdu.SerialNotify(BigEndian.u16(pdu, 2), BigEndian.i32(pdu, SERIAL));
            case CACHE_RESPONSE -> new Pdu.CacheResponse(BigEndian.u16(pdu, 2));
            case IPV4_PREFIX -> prefix(pdu, false);
            case IPV6_PREFIX -> prefix(pdu, true);
            case END_OF_DATA -> endOfData(pdu, version);
            case CACHE_RESET -> new Pdu.CacheReset();
            case ROUTER_KEY -> {
                requireVersion(1, pdu);
                yield new Pdu.RouterKey();
            }
            case ASPA -> {
                requireVersion(2, pdu);
                yield aspa(pdu);
            }
            case ERROR_REPORT -> errorReport(pdu, version);
            case null -> throw new IllegalArgumentException("unknown type " + code);
        };
    }

    /** @param version the first one that has the type */
    private static void requireVersion(int version, byte[] pdu) throws RtrException {
        int own = BigEndian.u8(pdu, 0);
        if (own < version) {
            throw new RtrException(
                    ErrorCode.UNSUPPORTED_PDU_TYPE,
                    pdu,
                    "version " + own + " has no PDU of type " + BigEndian.u8(pdu, 1));
        }
    }

    private static Pdu prefix(byte[] pdu, boolean ipv6) throws RtrException {
        int bits = ipv6 ? 128 : 32;
        int length = BigEndian.u8(pdu, PREFIX_LENGTH);
        int maxLength = BigEndian.u8(pdu, MAX_LENGTH);
        if (length > maxLength || maxLength > bits) {
            throw corrupt(
                    pdu,
                    "the prefix length is " + length + " and the maximum length " + maxLength + " of " + bits
                            + " bits");
        }
        IpPrefix prefix = ipv6
                ? new IpPrefix(true, BigEndian.i64(pdu, PREFIX), BigEndian.i64(pdu, PREFIX + 8), length)
                : new IpPrefix(false, 0, BigEndian.u32(pdu, PREFIX), length);
        if (hasHostBits(prefix)) {
            throw corrupt(pdu, "the prefix has bits after its length of " + length);
        }
        int asn = BigEndian.i32(pdu, pdu.length - 4);
        return new Pdu.Prefix((pdu[FLAGS] & 1) == 1, new Vrp(prefix, maxLength, asn));
    }

    private static boolean hasHostBits(IpPrefix prefix) {
        return prefix.ipv6()
                ? Addresses.maskHigh(prefix.high(), prefix.length()) != prefix.high()
                        || Addresses.maskLow(prefix.low(), prefix.length()) != prefix.low()
                : Addresses.maskIpv4((int) prefix.low(), prefix.length()) != (int) prefix.low();
    }

    private static Pdu endOfData(byte[] pdu, int version) throws RtrException {
        int expected = version == 0 ? END_OF_DATA_V0 : END_OF_DATA;
        if (pdu.length != expected) {
            throw corrupt(pdu, "End of Data of version " + version + " has " + pdu.length + " bytes, not " + expected);
        }
        Intervals intervals = version == 0
                ? Intervals.DEFAULT
                : Intervals.ofSeconds(BigEndian.u32(pdu, 12), BigEndian.u32(pdu, 16), BigEndian.u32(pdu, 20));
        return new Pdu.EndOfData(BigEndian.u16(pdu, 2), BigEndian.i32(pdu, SERIAL), intervals);
    }

    private static Pdu aspa(byte[] pdu) throws RtrException {
        if (pdu.length % 4 != 0) {
            throw corrupt(pdu, "an ASPA of " + pdu.length + " bytes does not end after an AS number");
        }
        int customer = BigEndian.i32(pdu, CUSTOMER);
        boolean announcement = (pdu[ASPA_FLAGS] & 1) == 1;
        int count = (pdu.length - PROVIDERS) / 4;
        if (announcement == (count == 0)) {
            throw providerList(pdu, customer, announcement ? "has no providers" : "is withdrawn with providers");
        }
        if (!announcement) {
            return new Pdu.AspaWithdrawal(customer);
        }
        List<Integer> providers = new ArrayList<>(count);
        for (int at = PROVIDERS; at < pdu.length; at += 4) {
            providers.add(BigEndian.i32(pdu, at));
        }
        if (count > 1 && providers.contains(0)) {
            throw providerList(pdu, customer, "has AS 0 and other providers");
        }
        return new Pdu.AspaAnnouncement(new Aspa(customer, providers));
    }

    private static RtrException providerList(byte[] pdu, int customer, String reason) {
        return new RtrException(
                ErrorCode.ASPA_PROVIDER_LIST_ERROR,
                pdu,
                "the ASPA of AS" + Integer.toUnsignedString(customer) + " " + reason);
    }

    /** Decodes an Error Report: the length of the erroneous PDU, the PDU, the length of a text, the text. */
    private static Pdu errorReport(byte[] pdu, int version) throws RtrException {
        long enclosed = BigEndian.u32(pdu, PduReader.HEADER);
        long textAt = PduReader.HEADER + 4 + enclosed;
        if (textAt + 4 > pdu.length) {
            throw corrupt(pdu, "the PDU in an Error Report has " + enclosed + " bytes, more than the report has");
        }
        long textLength = BigEndian.u32(pdu, (int) textAt);
        if (textAt + 4 + textLength != pdu.length) {
            throw corrupt(
                    pdu,
                    "the text of an Error Report has " + textLength + " bytes, which is not what follows its length");
        }
        int number = BigEndian.u16(pdu, 2);
        String text = new String(pdu, (int) textAt + 4, (int) textLength, UTF_8);
        return new Pdu.ErrorReport(version, ErrorCode.of(number), number, text);
    }

    private static RtrException corrupt(byte[] pdu, String reason) {
        return new RtrException(ErrorCode.CORRUPT_DATA, pdu, reason);
    }
}
