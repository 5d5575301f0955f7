/**
 * Texts of extended communities. A community is one row of {@code ExtendedCommunityKind}. May use {@code attribute.tlv}
 * and {@code net}.
 */
@NullMarked
package dev.silkroute.bgp.attribute.community;

import org.jspecify.annotations.NullMarked;
