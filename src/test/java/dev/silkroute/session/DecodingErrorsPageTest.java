package dev.silkroute.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.silkroute.bgp.attribute.Attribute;
import dev.silkroute.bgp.attribute.AttributeFault;
import dev.silkroute.bgp.nlri.NlriFault;
import dev.silkroute.bgp.open.OpenFault;
import dev.silkroute.bgp.update.UpdateFault;
import dev.silkroute.bmp.BmpFault;
import dev.silkroute.fixture.GeneratedPage;
import dev.silkroute.net.ByteCursor;
import dev.silkroute.net.DecodeException;
import dev.silkroute.net.Fault;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * docs/reference/decoding-errors.md lists every reason why a message or an attribute cannot be decoded. {@code
 * ArchitectureTest} checks that the decoders have no others.
 */
class DecodingErrorsPageTest {
    private static final List<List<? extends Fault>> FAULTS = List.of(
            List.of(BmpFault.values()),
            List.of(OpenFault.values()),
            List.of(UpdateFault.values()),
            List.of(NlriFault.values()));
    private static final List<String> LAYERS = List.of("BMP message", "OPEN in a Peer Up", "UPDATE", "NLRI");

    @Test
    void thePageListsEveryReason() throws Exception {
        GeneratedPage page = GeneratedPage.at("docs/reference/decoding-errors.md");
        page.assertSection("messages", GeneratedPage.table(List.of("in", "reason", "rule"), messages()));
        page.assertSection(
                "attributes", GeneratedPage.table(List.of("attribute", "reason", "rule", "then"), attributes()));
    }

    @Test
    void aReasonHasAPlaceForEachValue() {
        DecodeException exception = UpdateFault.NEXT_HOP_LENGTH.at(7, 3, "ipv4-unicast");
        assertThat(exception).hasMessage("next hop of 3 bytes for ipv4-unicast at offset 7 (RFC 7606, Section 7.11)");
    }

    private static List<List<String>> messages() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("any part", shown(ByteCursor.SHORT), "that of the part which ends too early"));
        for (int i = 0; i < FAULTS.size(); i++) {
            for (Fault fault : FAULTS.get(i)) {
                Fault.Description text = fault.description();
                rows.add(List.of(LAYERS.get(i), shown(text.reason()), text.section()));
            }
        }
        return rows;
    }

    private static List<List<String>> attributes() throws IllegalAccessException {
        List<List<String>> rows = new ArrayList<>();
        for (Field field : AttributeFault.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == AttributeFault.class) {
                field.setAccessible(true);
                rows.add(row("", (AttributeFault) field.get(null)));
            }
        }
        Arrays.stream(Attribute.values())
                .map(attribute -> row(attribute.name(), attribute.malformed()))
                .forEach(rows::add);
        return rows;
    }

    private static List<String> row(String attribute, AttributeFault fault) {
        String text = fault.toString();
        int rule = text.lastIndexOf(" (");
        return List.of(
                attribute,
                "`" + text.substring(0, rule) + "`",
                text.substring(rule + 2, text.length() - 1),
                "`" + fault.kind().name().toLowerCase(Locale.ROOT).replace('_', '-') + "`");
    }

    private static String shown(String reason) {
        return "`" + reason.replace("%s", "N") + "`";
    }
}
