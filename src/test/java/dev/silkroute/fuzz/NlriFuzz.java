package dev.silkroute.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.silkroute.bgp.nlri.NlriFormat;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Family;
import java.util.Arrays;

/** Fuzzes NLRI fields by family. Input: form (bit 0 path identifiers, bit 1 withdrawal), then the field. */
class NlriFuzz {
    private static void field(int family, byte[] input) {
        if (input.length < 2) {
            return;
        }
        boolean addPath = (input[0] & 1) != 0;
        boolean withdrawal = (input[0] & 2) != 0;
        int count = NlriFormat.count(family, input, 1, input.length, addPath, withdrawal);
        if (count >= 0) {
            assertThat(Reading.nlri(family, input, 1, input.length, addPath, withdrawal))
                    .isEqualTo(count);
            return;
        }
        try {
            Reading.nlri(family, input, 1, input.length, addPath, withdrawal);
        } catch (DecodeException e) {
            Reading.inside(e, 1, input.length);
            return;
        }
        throw new AssertionError("not counted, but readable");
    }

    /** Input: number of the family, then as for the others. */
    @FuzzTest(maxDuration = "2m")
    void anyFamily(byte[] input) {
        if (input.length > 0) {
            field(
                    Reading.FAMILIES[(input[0] & 0xFF) % Reading.FAMILIES.length],
                    Arrays.copyOfRange(input, 1, input.length));
        }
    }

    @FuzzTest(maxDuration = "1m")
    void unicast(byte[] input) {
        field(Family.IPV4_UNICAST, input);
        field(Family.IPV6_UNICAST, input);
    }

    @FuzzTest(maxDuration = "1m")
    void labelled(byte[] input) {
        field(Family.IPV4_LABELED_UNICAST, input);
        field(Family.IPV6_LABELED_UNICAST, input);
    }

    @FuzzTest(maxDuration = "1m")
    void vpn(byte[] input) {
        field(Family.VPNV4, input);
        field(Family.VPNV6, input);
        field(Family.VPNV4_MULTICAST, input);
    }

    @FuzzTest(maxDuration = "1m")
    void evpn(byte[] input) {
        field(Family.EVPN, input);
    }

    @FuzzTest(maxDuration = "1m")
    void flowSpec(byte[] input) {
        field(Family.IPV4_FLOWSPEC, input);
        field(Family.IPV6_FLOWSPEC, input);
        field(Family.VPNV4_FLOWSPEC, input);
        field(Family.VPNV6_FLOWSPEC, input);
    }

    @FuzzTest(maxDuration = "1m")
    void linkState(byte[] input) {
        field(Family.BGP_LS, input);
        field(Family.BGP_LS_VPN, input);
    }

    @FuzzTest(maxDuration = "1m")
    void segmentRoutingPolicy(byte[] input) {
        field(Family.of(1, 73), input);
        field(Family.of(2, 73), input);
    }

    @FuzzTest(maxDuration = "1m")
    void routeTargetConstraint(byte[] input) {
        field(Family.RT_CONSTRAINT, input);
        field(Family.of(2, 132), input);
    }

    @FuzzTest(maxDuration = "1m")
    void vpls(byte[] input) {
        field(Family.VPLS, input);
    }
}
