/**
 * Prefixes of the RIB: their records ({@link dev.silkroute.rib.trie.PrefixKeys}) and a multibit trie per family and
 * route distinguisher ({@link dev.silkroute.rib.trie.Trie}) that finds the longest match of an address.
 *
 * <p>Inside the RIB an address is 128 bits, left-aligned: {@code high} and {@code low}, where IPv4 occupies the upper
 * half of {@code high}.
 *
 * <p>Uses {@code memory}, {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.rib.trie;

import org.jspecify.annotations.NullMarked;
