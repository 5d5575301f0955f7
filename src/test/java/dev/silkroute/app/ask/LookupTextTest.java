package dev.silkroute.app.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class LookupTextTest {
    private static String text(String routes) throws JsonProcessingException {
        return LookupText.of("192.0.2.1", new ObjectMapper().readTree(routes));
    }

    @Test
    void theLongestPrefixIsFirstAndColumnsThatNobodyHasAreLeftOut() throws JsonProcessingException {
        assertThat(text("""
                [{"router":"edge-2","peer_address":"198.51.100.9","peer_asn":4200000000,"rib_view":"loc-rib",
                  "prefix":"192.0.0.0/16","as_path":"","communities":[],"large_communities":[],"stale":false},
                 {"router":"edge-1","peer_address":"198.51.100.1","peer_asn":64500,"rib_view":"adj-rib-in-pre",
                  "prefix":"192.0.2.0/24","next_hop":"198.51.100.1","as_path":"64500 64501","med":20,
                  "communities":["64500:1","64500:2"],"large_communities":[],"stale":true}]""")).isEqualTo("""
                         prefix       | router | peer         |    peer AS | view           | next hop     | AS path     | MED | state | communities
                        --------------+--------+--------------+------------+----------------+--------------+-------------+-----+-------+-----------------
                         192.0.2.0/24 | edge-1 | 198.51.100.1 |      64500 | adj-rib-in-pre | 198.51.100.1 | 64500 64501 |  20 | stale | 64500:1 64500:2
                         192.0.0.0/16 | edge-2 | 198.51.100.9 | 4200000000 | loc-rib        |              |             |     |       |
                        (2 routes)
                        """);
    }

    @Test
    void withoutRoutesItSaysSo() throws JsonProcessingException {
        assertThat(text("[]")).isEqualTo("No route covers 192.0.2.1\n");
    }
}
