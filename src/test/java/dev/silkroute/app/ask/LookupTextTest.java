package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class LookupTextTest {
    private static final String TABLE = """
         prefix       | router | peer |    peer AS | view    | next hop | AS path | MED | state | communities
        --------------+--------+------+------------+---------+----------+---------+-----+-------+-------------
         192.0.2.0/24 | edge-1 | ::1  |      64500 | loc-rib | ::9      | 64500 1 |  20 | stale | 1:1 1:2
         192.0.0.0/16 | edge-2 | ::2  | 4200000000 | loc-rib |          |         |     |       |
        (2 routes)
        """;

    private static final String ROUTES = """
        [{"router":"edge-2","peer_address":"::2","peer_asn":4200000000,"rib_view":"loc-rib",
          "prefix":"192.0.0.0/16","as_path":"","communities":[],"large_communities":[],"stale":false},
         {"router":"edge-1","peer_address":"::1","peer_asn":64500,"rib_view":"loc-rib",
          "prefix":"192.0.2.0/24","next_hop":"::9","as_path":"64500 1","med":20,
          "communities":["1:1","1:2"],"large_communities":[],"stale":true}]\
        """;

    private static String text(String routes) throws JsonProcessingException {
        return LookupText.of("192.0.2.1", new ObjectMapper().readTree(routes));
    }

    @Test
    void theLongestPrefixIsFirstAndEmptyOptionalColumnsAreOmitted() throws JsonProcessingException {
        assertThat(text(ROUTES)).isEqualTo(TABLE);
    }

    @Test
    void csvHasTheFieldsOfTheResponse() throws JsonProcessingException {
        var rows = LookupText.csv(new ObjectMapper().readTree(ROUTES));
        assertThat(rows).hasSize(3);
        assertThat(rows.getFirst())
                .startsWith("prefix", "router", "peer_address")
                .endsWith("large_communities");
        assertThat(rows.get(1)).contains("192.0.2.0/24", "64500", "true", "1:1 1:2");
        assertThat(rows.getLast()).contains("192.0.0.0/16", "false", null);
    }

    @Test
    void withoutRoutesTheAddressIsNamed() throws JsonProcessingException {
        assertThat(text("[]")).isEqualTo("No route covers 192.0.2.1\n");
    }
}
