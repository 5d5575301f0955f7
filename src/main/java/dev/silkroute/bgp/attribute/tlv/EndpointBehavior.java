package dev.silkroute.bgp.attribute.tlv;

/** Names of the SRv6 endpoint behaviors that BGP announces (RFC 8986, Section 10.2; IANA "SRv6 Endpoint Behaviors"). */
final class EndpointBehavior {
    private EndpointBehavior() {}

    /** Returns the name, empty for a code without one. */
    static String name(int code) {
        return switch (code) {
            case 1 -> "End";
            case 2 -> "End with PSP";
            case 3 -> "End with USP";
            case 4 -> "End with PSP & USP";
            case 5 -> "End.X";
            case 6 -> "End.X with PSP";
            case 7 -> "End.X with USP";
            case 8 -> "End.X with PSP & USP";
            case 9 -> "End.T";
            case 14 -> "End.B6.Encaps";
            case 15 -> "End.BM";
            case 16 -> "End.DX6";
            case 17 -> "End.DX4";
            case 18 -> "End.DT6";
            case 19 -> "End.DT4";
            case 20 -> "End.DT46";
            case 21 -> "End.DX2";
            case 22 -> "End.DX2V";
            case 23 -> "End.DT2U";
            case 24 -> "End.DT2M";
            case 27 -> "End.B6.Encaps.Red";
            case 28 -> "End with USD";
            case 29 -> "End with PSP & USD";
            case 30 -> "End with USP & USD";
            case 31 -> "End with PSP, USP & USD";
            case 32 -> "End.X with USD";
            case 33 -> "End.X with PSP & USD";
            case 34 -> "End.X with USP & USD";
            case 35 -> "End.X with PSP, USP & USD";
            case 62 -> "End.DT6 with NEXT-CSID";
            case 63 -> "End.DT4 with NEXT-CSID";
            case 64 -> "End.DT46 with NEXT-CSID";
            case 0xFFFF -> "opaque";
            default -> "";
        };
    }
}
