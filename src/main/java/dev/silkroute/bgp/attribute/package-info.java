/**
 * Path attributes: {@link dev.silkroute.bgp.attribute.Attribute} describes each of them,
 * {@link dev.silkroute.bgp.attribute.PathAttributes} is a decoded set,
 * {@link dev.silkroute.bgp.attribute.AttributesEncoder} encodes them. Sub-packages have the texts of communities and
 * the attributes that consist of TLVs. May use {@code bgp} and {@code net}.
 */
@NullMarked
package dev.silkroute.bgp.attribute;

import org.jspecify.annotations.NullMarked;
