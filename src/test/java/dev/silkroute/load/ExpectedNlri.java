package dev.silkroute.load;

import dev.silkroute.net.Addresses;
import java.util.List;
import java.util.Locale;

/** The columns {@code nlri} and {@code labels} of generated NLRI, computed without the product's NLRI code. */
final class ExpectedNlri {
    private ExpectedNlri() {}

    static String text(NlriSeries nlris, int i) {
        return switch (nlris) {
            case PrefixNlriSeries series -> (series.hasRd() ? rd(i) + " " : "") + prefix(series.prefixes(), i);
            case FlowSpecNlriSeries series ->
                "dst=" + prefix(series.prefixes(), i) + " proto=17 dport=" + FlowSpecNlriSeries.port(i);
            case EvpnNlriSeries series -> evpn(series, i);
            default -> throw new IllegalArgumentException(nlris.getClass().getName());
        };
    }

    static List<Integer> labels(NlriSeries nlris, int i) {
        return nlris instanceof PrefixNlriSeries series && series.hasLabel()
                ? List.of(PrefixNlriSeries.label(i))
                : List.of();
    }

    private static String rd(int i) {
        return NlriSeries.PROVIDER_ASN + ":" + NlriSeries.instance(i);
    }

    private static String prefix(PrefixTable prefixes, int i) {
        long address = prefixes.address(i);
        return prefixes.ipv6()
                ? Addresses.prefix(true, address, 0, prefixes.length(i))
                : Addresses.prefix(false, 0, address, prefixes.length(i));
    }

    private static String evpn(EvpnNlriSeries series, int i) {
        String rd = " rd=" + rd(i);
        int vni = EvpnNlriSeries.vni(i);
        String label = " label=" + (vni >>> 4) + "/" + vni;
        String address = Addresses.ipv4(EvpnNlriSeries.address(i));
        String multihomed = " esi=00:01:02:03:" + mac(i);
        String singleHomed = " esi=00:00:00:00:00:00:00:00:00:00";
        return switch (series.kind(i)) {
            case EvpnNlriSeries.ETHERNET_AD -> "ethernet-ad" + rd + multihomed + " etag=0" + label;
            case EvpnNlriSeries.INCLUSIVE_MULTICAST -> "inclusive-multicast" + rd + " etag=0 originator=" + address;
            case EvpnNlriSeries.ETHERNET_SEGMENT -> "ethernet-segment" + rd + multihomed + " originator=" + address;
            case EvpnNlriSeries.IP_PREFIX ->
                "ip-prefix" + rd + singleHomed + " etag=0 prefix=" + address + "/32 gateway=0.0.0.0" + label;
            default ->
                "mac-ip" + rd + singleHomed + " etag=0 mac=" + mac(i)
                        + (EvpnNlriSeries.hasAddress(i) ? " ip=" + address : "") + label;
        };
    }

    private static String mac(int i) {
        return String.format(
                Locale.ROOT, "02:00:%02x:%02x:%02x:%02x", i >>> 24, i >>> 16 & 0xFF, i >>> 8 & 0xFF, i & 0xFF);
    }
}
