package dev.silkroute.app.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.silkroute.app.config.KafkaAccess;
import dev.silkroute.fixture.TestKafka;
import dev.silkroute.session.identity.RouterIdentity;
import dev.silkroute.session.identity.RouterIdentity.Source;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two collectors that share a topic of identities, with a real Kafka. */
class IdentityTopicIT {
    private static final InetAddress ONE = InetAddress.ofLiteral("192.0.2.1");
    private static final InetAddress OTHER = InetAddress.ofLiteral("192.0.2.2");
    private static int run;

    private final KafkaAccess kafka = new KafkaAccess(TestKafka.bootstrap(), Map.of());
    private final String topic = "bmp.identities-" + ++run;
    private final List<IdentityTopic> open = new ArrayList<>();

    @BeforeEach
    void makeTopic() throws Exception {
        try (Admin admin = kafka.admin("test", Duration.ofSeconds(30))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        }
    }

    @AfterEach
    void close() {
        open.forEach(IdentityTopic::close);
    }

    private IdentityTopic collector(String name) {
        IdentityTopic identities = new IdentityTopic(kafka, topic, Long.MAX_VALUE);
        open.add(identities);
        identities.load(name);
        identities.follow(Duration.ofHours(1), Collections::emptyIterator);
        return identities;
    }

    private static CompletableFuture<Boolean> claim(IdentityTopic collector, String name, InetAddress address) {
        return collector.names().claim(new RouterIdentity(name, Source.SYS_NAME), address);
    }

    @Test
    void collectorsThatStartTogetherHaveDifferentNumbersAndKeepThem() {
        List<CompletableFuture<IdentityTopic>> starting = List.of("a", "b", "c").stream()
                .map(name -> CompletableFuture.supplyAsync(() -> {
                    IdentityTopic identities = new IdentityTopic(kafka, topic, Long.MAX_VALUE);
                    identities.load(name);
                    return identities;
                }))
                .toList();
        List<Integer> numbers = starting.stream()
                .map(CompletableFuture::join)
                .peek(open::add)
                .map(IdentityTopic::number)
                .toList();
        assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(collector("b").number()).isEqualTo(numbers.get(1));
    }

    @Test
    void aRestartedCollectorContinuesAfterTheSessionIdsThatItHasUsed() {
        IdentityTopic first = collector("first");
        assertThat(first.usedUntil()).isNegative();
        first.recordUse(() -> 2000);
        first.recordUse(() -> 1000);
        assertThat(collector("second").usedUntil()).isNegative();
        assertThat(collector("first").usedUntil()).isEqualTo(2000);
    }

    /** A thousand routers come to both collectors at once, from an address of their own to each. */
    @Test
    void eachNameBelongsToOneAddressAlsoAfterARestartUntilItIsReleased() {
        IdentityTopic first = collector("first");
        IdentityTopic second = collector("second");
        List<CompletableFuture<Boolean>> ones = new ArrayList<>();
        List<CompletableFuture<Boolean>> others = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            ones.add(claim(first, "r" + i, ONE));
            others.add(claim(second, "r" + i, OTHER));
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(ones.get(i).join())
                    .as("r" + i)
                    .isNotEqualTo(others.get(i).join());
        }
        boolean isOnes = ones.getFirst().join();
        IdentityTopic later = collector("later");
        assertThat(claim(later, "r0", ONE).join()).isEqualTo(isOnes);
        assertThat(claim(later, "r0", OTHER).join()).isEqualTo(!isOnes);

        assertThat(IdentityTopic.release(kafka, topic, "r0")).isTrue();
        assertThat(IdentityTopic.release(kafka, topic, "r0")).isFalse();
        assertThat(IdentityTopic.release(kafka, topic, "R1")).isFalse();
        InetAddress moved = InetAddress.ofLiteral("192.0.2.3");
        await().until(() -> claim(later, "r0", moved).join());
        await().until(() -> claim(first, "r0", moved).join());
        assertThat(claim(first, "r0", ONE).join()).isFalse();
    }
}
