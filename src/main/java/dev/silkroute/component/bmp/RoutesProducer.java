package dev.silkroute.component.bmp;

import dev.silkroute.bgp.attribute.PathAttributes;
import dev.silkroute.bgp.nlri.NlriReader;
import dev.silkroute.bgp.nlri.NlriText;
import dev.silkroute.bmp.PerPeerHeader;
import dev.silkroute.net.Addresses;
import dev.silkroute.net.Family;
import dev.silkroute.net.Hex;
import dev.silkroute.net.RouteDistinguisher;
import dev.silkroute.route.PeerEntry;
import dev.silkroute.route.RouteBatch;
import dev.silkroute.route.RouteCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.camel.Exchange;
import org.apache.camel.InvalidPayloadException;
import org.apache.camel.support.DefaultProducer;
import org.jspecify.annotations.Nullable;

/** {@code bmp:routes}: a record of {@code bmp.routes} as single {@link Route}s. Convenient, not fast. */
final class RoutesProducer extends DefaultProducer {
    RoutesProducer(BmpEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void process(Exchange exchange) throws InvalidPayloadException {
        RouteBatch batch = RouteBatch.read(exchange.getMessage().getMandatoryBody(byte[].class));
        @Nullable PathAttributes[] sets = new PathAttributes[batch.attributeSetCount()];
        List<Route> routes = new ArrayList<>(batch.eventCount());
        RouteCursor cursor = batch.cursor();
        while (cursor.next()) {
            routes.add(route(batch, cursor, attributes(batch, sets, cursor.attributeSet())));
        }
        exchange.getMessage().setBody(routes);
    }

    private static @Nullable PathAttributes attributes(RouteBatch batch, @Nullable PathAttributes[] sets, int index) {
        if (index < 0) {
            return null;
        }
        PathAttributes known = sets[index];
        if (known == null) {
            known = PathAttributes.decode(batch.bytes(), batch.attributesFrom(index), batch.attributesTo(index));
            sets[index] = known;
        }
        return known;
    }

    private static Route route(RouteBatch batch, RouteCursor cursor, @Nullable PathAttributes set) {
        PeerEntry peer = cursor.peerIndex() < 0 ? null : batch.peer(cursor.peerIndex());
        NlriReader nlri = cursor.kind().isRoute() ? cursor.nlri() : null;
        String prefix = nlri != null && nlri.isPrefix()
                ? Addresses.prefix(nlri.ipv6(), nlri.addressHigh(), nlri.addressLow(), nlri.prefixLength())
                : null;
        String rd = nlri != null && nlri.isPrefix() && nlri.hasRd() ? RouteDistinguisher.text(nlri.rd()) : null;
        int family = cursor.family();
        return new Route(
                cursor.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                batch.collector(),
                batch.router(),
                batch.routerAddress(),
                batch.sessionId(),
                cursor.sequence(),
                batch.receivedAtMicros(),
                cursor.routerTimeMicros(),
                cursor.synthetic(),
                peer == null ? null : PerPeerHeader.peerTypeText(peer.peerType()),
                peer == null ? null : Hex.of(peer.distinguisher()),
                peer == null ? null : Addresses.text(peer.ipv6(), peer.addressHigh(), peer.addressLow()),
                peer == null ? 0 : Integer.toUnsignedLong(peer.asn()),
                peer == null ? null : Addresses.ipv4(peer.bgpId()),
                peer == null ? null : peer.view().text(),
                Family.afi(family),
                Family.safi(family),
                family == 0 ? null : Family.text(family),
                rd,
                prefix,
                nlri == null ? null : nlriText(batch, family, nlri, prefix, rd),
                nlri != null && nlri.hasPathId() ? Integer.toUnsignedLong(nlri.pathId()) : null,
                nlri == null ? null : labels(nlri),
                set == null || set.nextHop() == null ? null : set.nextHop().text(),
                set == null || set.origin() == null ? null : set.origin().text(),
                set == null || set.asPath() == null ? null : set.asPath().text(),
                set == null || set.asPath() == null ? null : boxed(set.asPath().originAsn()),
                set == null ? null : boxed(set.med()),
                set == null ? null : boxed(set.localPref()),
                set == null ? null : set.communities(),
                set == null ? null : set.largeCommunities(),
                set == null ? null : set.extendedCommunities());
    }

    private static String nlriText(
            RouteBatch batch, int family, NlriReader nlri, @Nullable String prefix, @Nullable String rd) {
        if (prefix == null) {
            return NlriText.of(family, batch.bytes(), nlri.from(), nlri.to());
        }
        return rd == null ? prefix : rd + " " + prefix;
    }

    private static @Nullable List<Integer> labels(NlriReader nlri) {
        if (!nlri.isPrefix() || nlri.labelCount() == 0) {
            return null;
        }
        List<Integer> labels = new ArrayList<>();
        for (int i = 0; i < nlri.labelCount(); i++) {
            labels.add(nlri.label(i));
        }
        return labels;
    }

    private static @Nullable Long boxed(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}
