package dev.silkroute.bgp.attribute;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.bgp.attribute.AttributeExamples.Example;
import dev.silkroute.bgp.attribute.community.ExtendedCommunity;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import dev.silkroute.net.DecodeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reference/attributes.md and its JSON Schema agree with the code. */
class AttributesDocumentTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static List<Example> examples() {
        return AttributeExamples.all();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void exampleIsTheJsonOfItsBytes(Example example) {
        // When
        JsonNode json = AttributeSchema.check(AttributeExamples.set(example.flags(), example.type(), example.value())
                .toJson());

        // Then
        assertThat(json).isEqualTo(example.json());
    }

    @Test
    void everyKnownAttributeHasAnExample() {
        List<Integer> types = examples().stream().map(Example::type).distinct().toList();

        for (int type = 0; type < 256; type++) {
            if (Attribute.isKnown(type) && type != AttributeCode.MP_UNREACH_NLRI) {
                assertThat(types).contains(type);
            }
        }
        assertThat(types).as("an unknown one").anyMatch(type -> !Attribute.isKnown(type));
    }

    @Test
    void keysComeInTheOrderOfTheSchema() throws Exception {
        // Given: the last example of each type in one set
        TreeMap<Integer, Example> last = new TreeMap<>();
        examples().forEach(example -> last.put(example.type(), example));
        ByteSink out = new ByteSink();
        for (Example one : last.values()) {
            out.u8(one.flags() | 0x10).u8(one.type()).u16(one.value().length()).bytes(one.value());
        }

        // When
        String json = PathAttributes.decode(out.array(), 0, out.position()).toJson();

        // Then
        List<String> keys = new ArrayList<>();
        AttributeSchema.check(json).fieldNames().forEachRemaining(keys::add);
        List<String> order = AttributeSchema.keys();
        assertThat(keys).hasSizeGreaterThan(25).isSortedAccordingTo(Comparator.comparingInt(order::indexOf));
        assertThat(order).containsAll(keys);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyTruncatedValueIsAFaultOrAValue(Example example) {
        for (int length = 0; length < example.value().length(); length++) {
            Bytes cut = Bytes.copyOf(example.value().toArray(), 0, length);
            try {
                AttributeSchema.check(AttributeExamples.set(example.flags(), example.type(), cut)
                        .toJson());
            } catch (DecodeException e) {
                assertThat(e.reason()).contains("malformed");
            }
        }
    }

    @Test
    void documentedTextsAreThoseOfCommunities() {
        Map<String, Long> examples = AttributeExamples.communities();
        List<String> texts = AttributeExamples.communityTexts();

        assertThat(texts).hasSizeGreaterThan(50);
        for (String text : texts) {
            assertThat(examples).containsKey(text);
            assertThat(ExtendedCommunity.text(examples.get(text))).isEqualTo(text);
        }
        assertThat(texts.stream().map(text -> text.replaceFirst(":.*", "")).distinct())
                .containsExactlyInAnyOrderElementsOf(ExtendedCommunity.names());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"origin\":\"other\"}",
                "{\"med\":-1}",
                "{\"med\":4294967296}",
                "{\"nonsense\":1}",
                "{\"communities\":[\"64500\"]}",
                "{\"aigp\":[{\"type\":1}]}",
                "{\"unknown\":[{\"type\":1,\"flags\":1,\"value\":\"abc\"}]}",
            })
    void schemaRejectsWhatIsNeverWritten(String json) throws Exception {
        assertThat(AttributeSchema.allows(json)).isFalse();
        assertThat(JSON.readTree(json)).isNotNull();
    }
}
