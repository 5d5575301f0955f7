package dev.silkroute.rpki;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the array {@code aspas} of a {@link VrpFile}. For one thread. */
final class AspaEntries {
    private final List<Aspa> aspas = new ArrayList<>();
    private int providers;
    private int rejected;

    VrpFile.Content contentWith(VrpTable vrps) {
        return new VrpFile.Content(vrps, aspas, rejected);
    }

    /**
     * Reads the array to its end.
     *
     * @throws IOException if it has more than {@link AspaTable#MAX_PROVIDERS} providers
     */
    void read(JsonParser json, Path file) throws IOException {
        for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
            if (next != JsonToken.START_OBJECT) {
                json.skipChildren();
                rejected++;
                continue;
            }
            Aspa aspa = entry(json);
            if (aspa == null) {
                rejected++;
                continue;
            }
            aspas.add(aspa);
            providers += aspa.providers().size();
            if (providers > AspaTable.MAX_PROVIDERS) {
                throw new IOException(file + ": the ASPAs have more than " + AspaTable.MAX_PROVIDERS + " providers");
            }
        }
    }

    /** Reads an object to its end. @return null if it is not an ASPA */
    private static @Nullable Aspa entry(JsonParser json) throws IOException {
        String customer = null;
        List<String> providers = List.of();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("customer_asid") || name.equals("customer")) {
                customer = json.getValueAsString();
                json.skipChildren();
            } else if (name.equals("providers") && value == JsonToken.START_ARRAY) {
                providers = texts(json);
            } else {
                json.skipChildren();
            }
        }
        if (customer == null || providers.size() > Aspa.MAX_PROVIDERS) {
            return null;
        }
        try {
            return new Aspa(
                    Vrp.parseAsn(customer),
                    providers.stream().map(Vrp::parseAsn).toList());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Reads an array to its end: the first elements, one more than an ASPA may have. */
    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (texts.size() <= Aspa.MAX_PROVIDERS) {
                texts.add(json.getValueAsString(""));
            }
            json.skipChildren();
        }
        return texts;
    }
}
