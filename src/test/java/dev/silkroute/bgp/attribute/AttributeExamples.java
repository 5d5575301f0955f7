package dev.silkroute.bgp.attribute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.silkroute.net.ByteSink;
import dev.silkroute.net.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One attribute of each kind with the JSON it makes: the examples of the documentation. */
public final class AttributeExamples {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path DOCUMENT = Path.of("docs/reference/attributes.md");
    private static final Pattern BLOCK =
            Pattern.compile("```attribute\n([0-9a-f]{2}) ([0-9]+) ?([0-9a-f]*)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TEXT_ROW = Pattern.compile("^\\| (`.*?) \\| .* \\|$", Pattern.MULTILINE);

    public record Example(int flags, int type, Bytes value, JsonNode json) {
        @Override
        public String toString() {
            return type + " " + value;
        }
    }

    private AttributeExamples() {}

    static String document() {
        try {
            return Files.readString(DOCUMENT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Example> all() {
        List<Example> examples = new ArrayList<>();
        Matcher block = BLOCK.matcher(document());
        while (block.find()) {
            examples.add(new Example(
                    Integer.parseInt(block.group(1), 16),
                    Integer.parseInt(block.group(2)),
                    Bytes.ofHex(block.group(3)),
                    read(block.group(4))));
        }
        return examples;
    }

    /** The texts of the table of extended communities. */
    static List<String> communityTexts() {
        String document = document();
        int from = document.indexOf("## Texts of extended communities");
        Matcher row = TEXT_ROW.matcher(document.substring(from, document.indexOf("## Errors")));
        List<String> texts = new ArrayList<>();
        while (row.find()) {
            for (String text : row.group(1).split(", ")) {
                texts.add(text.replace("`", ""));
            }
        }
        return texts;
    }

    /** Extended communities by their texts. */
    static Map<String, Long> communities() {
        try (InputStream in =
                Objects.requireNonNull(AttributeExamples.class.getResourceAsStream("/communities/examples.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toMap(
                            line -> line.substring(17), line -> Long.parseUnsignedLong(line.substring(0, 16), 16)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A canonical set of one attribute. */
    static PathAttributes set(int flags, int type, Bytes value) {
        ByteSink out = new ByteSink();
        out.u8(flags & 0xF0 | 0x10).u8(type).u16(value.length()).bytes(value);
        return PathAttributes.decode(out.array(), 0, out.position());
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
