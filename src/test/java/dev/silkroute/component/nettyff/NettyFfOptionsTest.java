package dev.silkroute.component.nettyff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.ResolveEndpointFailedException;
import org.apache.camel.component.netty.NettyConfiguration;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.spi.UriParam;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class NettyFfOptionsTest {
    private final CamelContext camel = new DefaultCamelContext();

    @AfterEach
    void stop() {
        camel.stop();
    }

    private NettyFfConfiguration options(String uri) {
        return camel.getEndpoint(uri, NettyFfEndpoint.class).getConfiguration();
    }

    @Test
    void defaultsAreThoseOfTheFindings() {
        NettyFfConfiguration options = options("netty-ff:tcp://127.0.0.1:11019");

        assertThat(options.getHost()).isEqualTo("127.0.0.1");
        assertThat(options.getPort()).isEqualTo(11019);
        assertThat(options.getBufferSize()).isEqualTo(64 * 1024);
        assertThat(options.getFlushBytes()).isEqualTo(32 * 1024);
        assertThat(options.getLingerMicros()).isEqualTo(1000);
        assertThat(options.getMaxPendingBytes()).isEqualTo(1024 * 1024);
        assertThat(options.getOverflow()).isEqualTo(Overflow.BLOCK);
        assertThat(options.isSync()).isFalse();
        assertThat(options.getEncodersAsList()).isEmpty();
    }

    @Test
    void optionsAreBoundAndCamelNettysToo() {
        NettyFfConfiguration options = options(
                "netty-ff:tcp://localhost:1?bufferSize=4096&flushBytes=1024&lingerMicros=0"
                        + "&maxPendingBytes=65536&overflow=DROP&sendTimeout=2s&drainTimeout=300&reconnectBackoff=1s"
                        + "&maxReconnectBackoff=1m&onFailure=direct:lost&onReconnect=direct:again&connectTimeout=77&keepAlive=false");

        assertThat(options.getBufferSize()).isEqualTo(4096);
        assertThat(options.getFlushBytes()).isEqualTo(1024);
        assertThat(options.getLingerMicros()).isZero();
        assertThat(options.getMaxPendingBytes()).isEqualTo(65536);
        assertThat(options.getOverflow()).isEqualTo(Overflow.DROP);
        assertThat(options.getSendTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.getDrainTimeout()).isEqualTo(Duration.ofMillis(300));
        assertThat(options.getReconnectBackoff()).isEqualTo(Duration.ofSeconds(1));
        assertThat(options.getMaxReconnectBackoff()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.getOnFailure()).isEqualTo("direct:lost");
        assertThat(options.getOnReconnect()).isEqualTo("direct:again");
        assertThat(options.getConnectTimeout()).isEqualTo(77);
        assertThat(options.isKeepAlive()).isFalse();
    }

    /** Fails when options were added and {@code src/generated} was not regenerated. */
    @ParameterizedTest
    @MethodSource("ownOptions")
    void everyOptionHasItsGeneratedBinding(Field option) {
        assertThat(new NettyFfConfigurationConfigurer().getOptionType(option.getName(), false))
                .isEqualTo(option.getType());
        assertThat(new NettyFfEndpointConfigurer().getOptionType(option.getName(), false))
                .isEqualTo(option.getType());
        assertThat(new NettyFfEndpointUriFactory().propertyNames()).contains(option.getName());
    }

    static Stream<Field> ownOptions() {
        return Stream.of(NettyFfConfiguration.class.getDeclaredFields())
                .filter(field -> field.isAnnotationPresent(UriParam.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        netty-ff:tcp://h:1?sync=true                     | sync=true
        netty-ff:tcp://h:1?disconnect=true               | disconnect=true
        netty-ff:tcp://h:1?reuseChannel=true             | reuseChannel=true
        netty-ff:tcp://h:1?producerPoolEnabled=true      | producerPoolEnabled=true
        netty-ff:tcp://h:1?requestTimeout=1000           | requestTimeout
        netty-ff:tcp://h:1?correlationManager=#manager   | correlationManager
        netty-ff:tcp://h:1?udpConnectionlessSending=true | udpConnectionlessSending=true
        netty-ff:tcp://h:1?transferExchange=true         | transferExchange=true
        netty-ff:tcp://h:1?textline=true                 | textline=true
        netty-ff:tcp://h:1?allowDefaultCodec=true        | allowDefaultCodec=true
        netty-ff:udp://h:1                               | protocol udp
        netty-ff:tcp://h:1?bufferSize=10                 | bufferSize must be 256 or more, not 10
        netty-ff:tcp://h:1?flushBytes=0                  | flushBytes must be 1 or more, not 0
        netty-ff:tcp://h:1?lingerMicros=-1               | lingerMicros must not be negative
        netty-ff:tcp://h:1?maxPendingBytes=10            | must not be below flushBytes=32768
        netty-ff:tcp://h:1?reconnectBackoff=0            | reconnectBackoff must be 1 ms or more
        netty-ff:tcp://h:1?reconnectBackoff=1m           | maxReconnectBackoff must not be below
        netty-ff:tcp://h:1?localAddress=home             | localAddress must be an address, not home
        netty-ff:tcp://h:1?noSuchOption=1                | noSuchOption
        """)
    void whatItCannotKeepIsRejectedWhenTheEndpointIsMade(String uri, String reason) {
        camel.getRegistry()
                .bind("manager", new org.apache.camel.component.netty.DefaultNettyCamelStateCorrelationManager());

        assertThatThrownBy(() -> camel.getEndpoint(uri))
                .isInstanceOf(ResolveEndpointFailedException.class)
                .rootCause()
                .hasMessageContaining(reason);
    }

    @Test
    void itOnlySends() {
        NettyFfEndpoint endpoint = camel.getEndpoint("netty-ff:tcp://h:1", NettyFfEndpoint.class);

        assertThatThrownBy(() -> endpoint.createConsumer(_ -> {})).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theComponentHasDefaultsForItsEndpoints() {
        NettyFfComponent component = camel.getComponent("netty-ff", NettyFfComponent.class);
        NettyFfConfiguration defaults = new NettyFfConfiguration();
        defaults.setLingerMicros(50);
        component.setConfiguration(defaults);

        assertThat(options("netty-ff:tcp://h:1").getLingerMicros()).isEqualTo(50);
        assertThat(options("netty-ff:tcp://h:1?lingerMicros=7").getLingerMicros())
                .isEqualTo(7);
        assertThatThrownBy(() -> component.setConfiguration(new NettyConfiguration()))
                .hasMessageContaining("requires a NettyFfConfiguration");
    }
}
