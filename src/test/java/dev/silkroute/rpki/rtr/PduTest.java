package dev.silkroute.rpki.rtr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.silkroute.net.IpPrefix;
import dev.silkroute.rpki.Aspa;
import dev.silkroute.rpki.Vrp;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests single PDUs by the formats of RFC 8210, Section 5, RFC 6810 and draft-ietf-sidrops-8210bis. */
class PduTest {
    private static final Vrp IPV4 = new Vrp(IpPrefix.parse("192.0.2.0/24"), 26, 64500);
    private static final Vrp IPV6 = new Vrp(IpPrefix.parse("2001:db8::/32"), 48, (int) 4_200_000_000L);

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static Pdu decode(String hex) throws Exception {
        return PduDecoder.decode(new PduReader(new ByteArrayInputStream(bytes(hex))).next());
    }

    @Test
    void decodesEachTypeOfACache() throws Exception {
        assertThat(decode("01 00 1234 0000000c ffffffff")).isEqualTo(new Pdu.SerialNotify(0x1234, -1));
        assertThat(decode("01 03 1234 00000008")).isEqualTo(new Pdu.CacheResponse(0x1234));
        assertThat(decode("01 04 0000 00000014 01 18 1a 00 c0000200 0000fbf4")).isEqualTo(new Pdu.Prefix(true, IPV4));
        assertThat(decode("00 04 0000 00000014 00 18 1a 00 c0000200 0000fbf4")).isEqualTo(new Pdu.Prefix(false, IPV4));
        assertThat(decode("02 06 0000 00000020 01 20 30 00 20010db8 00000000 00000000 00000000 fa56ea00"))
                .isEqualTo(new Pdu.Prefix(true, IPV6));
        assertThat(decode("01 08 0000 00000008")).isEqualTo(new Pdu.CacheReset());
        assertThat(decode("01 09 0100 00000024" + "00".repeat(20) + "0000fbf4" + "30030000"))
                .isEqualTo(new Pdu.RouterKey());
        assertThat(decode("02 0b 0100 00000014 0000fbf4 0000fbf5 fa56ea00"))
                .isEqualTo(new Pdu.AspaAnnouncement(
                        new Aspa(64500, List.of(64501, Integer.parseUnsignedInt("4200000000")))));
        assertThat(decode("02 0b 0100 00000010 0000fbf4 00000000"))
                .as("a customer without providers")
                .isEqualTo(new Pdu.AspaAnnouncement(new Aspa(64500, List.of(0))));
        assertThat(decode("02 0b 0000 0000000c 0000fbf4")).isEqualTo(new Pdu.AspaWithdrawal(64500));
        assertThat(decode("01 0a 0002 00000018 00000000 00000008 6e6f206461746121"))
                .isEqualTo(new Pdu.ErrorReport(1, ErrorCode.NO_DATA_AVAILABLE, 2, "no data!"));
        assertThat(decode("00 0a 0004 00000018 00000008 02 02 0000 00000008 00000000"))
                .isEqualTo(new Pdu.ErrorReport(0, ErrorCode.UNSUPPORTED_PROTOCOL_VERSION, 4, ""));
        assertThat(decode("02 0a 00ff 00000010 00000000 00000000"))
                .isEqualTo(new Pdu.ErrorReport(2, ErrorCode.OTHER, 255, ""));
    }

    @Test
    void reservedFieldsAndFlagsAreIgnored() throws Exception {
        assertThat(decode("01 04 ffff 00000014 ff 18 1a ff c0000200 0000fbf4")).isEqualTo(new Pdu.Prefix(true, IPV4));
        assertThat(decode("01 04 0000 00000014 fe 18 1a 00 c0000200 0000fbf4")).isEqualTo(new Pdu.Prefix(false, IPV4));
        assertThat(decode("01 08 ffff 00000008")).isEqualTo(new Pdu.CacheReset());
        assertThat(decode("02 0b feff 0000000c 0000fbf4")).isEqualTo(new Pdu.AspaWithdrawal(64500));
    }

    /** The draft requires ascending providers, but another order means the same. */
    @Test
    void theOrderOfProvidersIsIgnored() throws Exception {
        assertThat(decode("02 0b 0100 00000018 0000fbf4 fa56ea00 0000fbf5 0000fbf5"))
                .isEqualTo(decode("02 0b 0100 00000014 0000fbf4 0000fbf5 fa56ea00"));
    }

    @Test
    void anAspaMayHaveAsManyProvidersAsOneOfAFile() throws Exception {
        String most = "02 0b 0100 0000ffFC 0000fbf4" + "0000fbf5".repeat(Aspa.MAX_PROVIDERS);
        assertThat(decode(most)).isInstanceOf(Pdu.AspaAnnouncement.class);
        RtrException tooMany = catchThrowableOfType(
                RtrException.class, () -> decode(most.replace("0000ffFC", "00010000") + "0000fbf5"));
        assertThat(tooMany.code()).isEqualTo(ErrorCode.CORRUPT_DATA);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "as sent, 00000e10 00000258 00001c20, 3600, 600, 7200",
        "lower limits, 00000000 00000000 00000000, 1, 1, 600",
        "upper limits, ffffffff ffffffff ffffffff, 86400, 7200, 172800",
        "expire before refresh, 00002710 00000258 00000258, 10000, 600, 10001",
    })
    void intervalsAreBounded(String name, String hex, long refresh, long retry, long expire) throws Exception {
        assertThat(decode("01 07 0001 00000018 00000005" + hex))
                .isEqualTo(new Pdu.EndOfData(
                        1,
                        5,
                        new Intervals(
                                Duration.ofSeconds(refresh), Duration.ofSeconds(retry), Duration.ofSeconds(expire))));
    }

    @Test
    void endOfDataOfVersion0HasTheDefaultIntervals() throws Exception {
        assertThat(decode("00 07 0001 0000000c 00000005")).isEqualTo(new Pdu.EndOfData(1, 5, Intervals.DEFAULT));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "unknown type, UNSUPPORTED_PDU_TYPE, 01 0c 0000 00000008",
        "type 5 does not exist, UNSUPPORTED_PDU_TYPE, 01 05 0000 00000008",
        "a query of a router, UNSUPPORTED_PDU_TYPE, 01 02 0000 00000008",
        "router key of version 0, UNSUPPORTED_PDU_TYPE,"
                + " 00 09 0000 00000020 00000000 00000000 00000000 00000000 00000000 00000000",
        "ASPA of version 1, UNSUPPORTED_PDU_TYPE, 01 0b 0100 0000000c 0000fbf4",
        "length 0, CORRUPT_DATA, 01 03 0000 00000000",
        "length shorter than a header, CORRUPT_DATA, 01 03 0000 00000007",
        "length longer than the type, CORRUPT_DATA, 01 03 0000 00000009 00",
        "length that would take 4 GiB, CORRUPT_DATA, 01 0a 0000 ffffffff",
        "length of IPv4 in IPv6, CORRUPT_DATA, 01 06 0000 00000014 01 18 1a 00 c0000200 0000fbf4",
        "router key too long, CORRUPT_DATA, 01 09 0000 00001001",
        "prefix longer than the maximum length, CORRUPT_DATA, 01 04 0000 00000014 01 18 17 00 c0000200 0000fbf4",
        "maximum length longer than IPv4, CORRUPT_DATA, 01 04 0000 00000014 01 18 21 00 c0000200 0000fbf4",
        "prefix longer than IPv4, CORRUPT_DATA, 01 04 0000 00000014 01 21 21 00 c0000200 0000fbf4",
        "bits after the prefix, CORRUPT_DATA, 01 04 0000 00000014 01 18 1a 00 c0000201 0000fbf4",
        "maximum length longer than IPv6, CORRUPT_DATA,"
                + " 01 06 0000 00000020 01 20 81 00 20010db8 00000000 00000000 00000000 fa56ea00",
        "bits after an IPv6 prefix, CORRUPT_DATA,"
                + " 01 06 0000 00000020 01 20 30 00 20010db8 00000000 00000000 00000001 fa56ea00",
        "End of Data of version 1 without intervals, CORRUPT_DATA, 01 07 0001 0000000c 00000005",
        "End of Data of version 0 with intervals, CORRUPT_DATA,"
                + " 00 07 0001 00000018 00000005 00000e10 00000258 00001c20",
        "End of Data between both lengths, CORRUPT_DATA, 01 07 0001 00000010 00000005 00000e10",
        "ASPA ends within an AS number, CORRUPT_DATA, 02 0b 0100 0000000e 0000fbf4 0000",
        "ASPA without a customer, CORRUPT_DATA, 02 0b 0000 00000008",
        "ASPA without providers, ASPA_PROVIDER_LIST_ERROR, 02 0b 0100 0000000c 0000fbf4",
        "ASPA with AS 0 and others, ASPA_PROVIDER_LIST_ERROR, 02 0b 0100 00000014 0000fbf4 00000000 0000fbf5",
        "withdrawal of an ASPA with providers, ASPA_PROVIDER_LIST_ERROR, 02 0b 0000 00000010 0000fbf4 0000fbf5",
        "enclosed PDU longer than the report, CORRUPT_DATA, 01 0a 0000 00000010 00000005 00000000",
        "enclosed PDU of 4 GiB, CORRUPT_DATA, 01 0a 0000 00000010 ffffffff 00000000",
        "text longer than the report, CORRUPT_DATA, 01 0a 0000 00000010 00000000 00000001",
        "text shorter than the report, CORRUPT_DATA, 01 0a 0000 00000012 00000000 00000001 2020",
    })
    void aMalformedPduIsAnErrorOfTheRfc(String name, ErrorCode code, String hex) {
        RtrException error = catchThrowableOfType(RtrException.class, () -> decode(hex));
        assertThat(error.code()).isEqualTo(code);
        assertThat(bytes(hex)).startsWith(error.pdu());
        assertThat(error.pdu()).hasSizeGreaterThanOrEqualTo(PduReader.HEADER);
    }

    @ParameterizedTest
    @CsvSource({"''", "01", "01 03 0000 000000", "01 04 0000 00000014 01 18 1a 00 c00002"})
    void aStreamThatEndsIsNotAPdu(String hex) {
        assertThatThrownBy(() -> decode(hex)).isInstanceOf(EOFException.class);
    }

    @Test
    void encodesTheTypesOfARouter() {
        assertThat(PduEncoder.serialQuery(1, 0x1234, -2)).isEqualTo(bytes("01 01 1234 0000000c fffffffe"));
        assertThat(PduEncoder.resetQuery(2)).isEqualTo(bytes("02 02 0000 00000008"));
        assertThat(PduEncoder.errorReport(1, ErrorCode.DUPLICATE_ANNOUNCEMENT_RECEIVED, bytes("0108000000000008"), "é"))
                .isEqualTo(bytes("01 0a 0007 0000001a 00000008 0108000000000008 00000002 c3a9"));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, true",
        "0, 1, false",
        "5, 5, false",
        "0, 4294967295, true",
        "4294967295, 0, false",
        "2147483647, 0, true",
        "2147483648, 0, false",
        "0, 2147483648, false",
        "100, 4294967200, true",
    })
    void serialNumbersWrapAround(String serial, String other, boolean after) {
        assertThat(SerialNumber.isAfter(Integer.parseUnsignedInt(serial), Integer.parseUnsignedInt(other)))
                .isEqualTo(after);
    }
}
