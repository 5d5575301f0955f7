package dev.silkroute.session.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bmp.BmpMessages;
import dev.silkroute.bmp.MessageType;
import dev.silkroute.bmp.Tlv;
import dev.silkroute.fixture.ParsedRecords;
import dev.silkroute.net.Bytes;
import dev.silkroute.session.BmpSession;
import dev.silkroute.session.DecodedBatch;
import dev.silkroute.session.LaneName;
import dev.silkroute.session.Messages;
import dev.silkroute.session.SessionConfig;
import dev.silkroute.session.identity.RouterIdentity.Source;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which message identifies a router, and by which name. */
class RouterIdentifierTest {
    private static final InetAddress ADDRESS = InetAddress.ofLiteral("192.0.2.99");
    private static final byte[] WITHOUT_NAME = new Messages(BmpMessages.VERSION)
            .initiation(new Tlv(1, null, Bytes.ofHex("74657374")))
            .bytes();
    private static final byte[] PEER_UP =
            new Messages(BmpMessages.VERSION).peerUp("").bytes();

    private static byte[] initiation(String sysName) {
        Bytes name = Bytes.of(sysName.getBytes(StandardCharsets.UTF_8));
        return new Messages(BmpMessages.VERSION)
                .initiation(new Tlv(2, null, name))
                .bytes();
    }

    @Test
    void givenASysNameThenItIsTheIdentity() {
        assertThat(RouterIdentifier.identify(ADDRESS, initiation("edge")))
                .isEqualTo(new RouterIdentity("edge", Source.SYS_NAME));
    }

    @Test
    void givenNoSysNameThenTheFirstLocalOpenIdentifiesTheRouterElseItsAddress() {
        assertThat(RouterIdentifier.identify(ADDRESS, PEER_UP))
                .isEqualTo(new RouterIdentity("10.0.0.1", Source.BGP_ID));
        byte[] peerDown = new Messages(BmpMessages.VERSION).peerDown("04").bytes();
        assertThat(RouterIdentifier.identify(ADDRESS, peerDown)).isEqualTo(RouterIdentity.ofAddress(ADDRESS));
    }

    @Test
    void givenAnInitiationWithoutANameThenTheRouterIsUnidentifiedUntilTheNextMessage() {
        RouterIdentifier identifier = new RouterIdentifier(ADDRESS, RouterValues.NONE);
        identifier.examine(WITHOUT_NAME, 0, WITHOUT_NAME.length);
        assertThat(identifier.identity()).isNull();
        identifier.examine(PEER_UP, 0, PEER_UP.length);
        assertThat(identifier.identity()).isEqualTo(new RouterIdentity("10.0.0.1", Source.BGP_ID));
        // Later messages do not change it.
        byte[] named = initiation("edge");
        identifier.examine(named, 0, named.length);
        assertThat(identifier.settle().name()).isEqualTo("10.0.0.1");
    }

    @Test
    void givenANameThatWouldDisturbALogLineThenItIsSanitized() {
        byte[] initiation = initiation("\r\nedge\u001b[31m\u202e1\u2028\u200b\0 ");
        assertThat(RouterIdentifier.identify(ADDRESS, initiation).name()).isEqualTo("edge[31m1");
    }

    @Test
    void givenAConfiguredNameThenItIsTheIdentityWhateverTheMessages() {
        RouterIdentifier identifier =
                new RouterIdentifier(ADDRESS, RouterValues.parse("192.0.2.0/24=edge,192.0.2.99=core"));
        byte[] initiation = initiation("frr-1");
        identifier.examine(initiation, 0, initiation.length);
        assertThat(identifier.identity()).isEqualTo(RouterIdentity.configured("core"));
    }

    @Test
    void givenANameConfiguredForOtherAddressesThenARouterMayNotHaveIt() {
        RouterIdentifier identifier = new RouterIdentifier(ADDRESS, RouterValues.parse("198.51.100.1=core"));
        assertThat(identifier.mayBe("core")).isFalse();
        assertThat(identifier.mayBe("edge")).isTrue();
    }

    /** Two routers with the identifier zero would share one identity. */
    @Test
    void givenABgpIdOfZeroThenTheAddressIdentifiesTheRouter() {
        String open = Messages.open("").replace("0a000001", "00000000");
        byte[] peerUp = new Messages(BmpMessages.VERSION)
                .add(MessageType.PEER_UP, "00".repeat(12) + "c0000202" + "00b3" + "c001" + open + open)
                .bytes();
        assertThat(RouterIdentifier.identify(ADDRESS, peerUp)).isEqualTo(RouterIdentity.ofAddress(ADDRESS));
    }

    static List<byte[]> messages() {
        return List.of(
                PEER_UP,
                WITHOUT_NAME,
                new Messages(BmpMessages.VERSION).peerDown("04").bytes());
    }

    /** The address identifies a router whose messages are truncated, and the session reports them. */
    @ParameterizedTest
    @MethodSource("messages")
    void givenATruncatedMessageThenItDoesNotIdentifyTheRouter(byte[] whole) {
        for (int length = BmpMessages.COMMON_HEADER_LENGTH; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            ByteBuffer.wrap(cut).putInt(1, length); // RFC 7854, Section 4.1
            RouterIdentity identity = RouterIdentifier.identify(ADDRESS, cut);
            assertThat(identity).as("%d bytes", length).isEqualTo(RouterIdentity.ofAddress(ADDRESS));
            DecodedBatch decoded =
                    new BmpSession(new SessionConfig("col", 10), 1, ADDRESS, identity).decode(cut, 0, 1, "over");
            assertThat(ParsedRecords.of(decoded, LaneName.PEERS).getLast())
                    .containsEntry("router", "192.0.2.99")
                    .containsEntry("event", "session-down")
                    .containsEntry("sequence", 1L << 16);
            if (BmpMessages.type(cut, 0) == MessageType.PEER_UP.code()) {
                assertThat(ParsedRecords.of(decoded, LaneName.QUARANTINE))
                        .as("%d bytes", length)
                        .hasSize(1);
            }
        }
    }

    @Test
    void aCertifiedNamePrecedesTheConfiguredAndTheClaimedOne() {
        RouterIdentifier identifier =
                new RouterIdentifier(ADDRESS, RouterValues.parse("192.0.2.0/24=edge"), true, "core\u0000.example.net");
        assertThat(identifier.identity()).isEqualTo(new RouterIdentity("core.example.net", Source.CERTIFICATE));
        assertThat(identifier.isAssured()).isTrue();
        assertThat(identifier.mayBe("edge")).isTrue();
    }

    @Test
    void ifClaimsAreNotAcceptedTheAddressIdentifiesTheRouterAtOnce() {
        RouterIdentifier identifier = new RouterIdentifier(ADDRESS, RouterValues.NONE, false, null);
        assertThat(identifier.identity()).isEqualTo(RouterIdentity.ofAddress(ADDRESS));
        assertThat(identifier.isAssured()).isFalse();
        assertThat(new RouterIdentifier(ADDRESS, RouterValues.parse("192.0.2.0/24=edge"), false, null).identity())
                .isEqualTo(RouterIdentity.configured("edge"));
    }
}
