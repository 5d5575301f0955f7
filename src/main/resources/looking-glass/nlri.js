// The prefixes of an UPDATE.

import {address} from './reader.js';

const IPV6 = 2;
const ID_LENGTH = 4;

/** Prefixes of unicast and multicast; NLRI of other families are shown as bytes. */
export function nlri(reader, afi, safi, section) {
    if ((afi === 1 || afi === IPV6) && (safi === 1 || safi === 2)) {
        prefixes(reader, 'prefix', section, afi === IPV6);
    } else {
        reader.rest('NLRI', section);
    }
}

/**
 * Reads prefixes up to a length that no prefix has. Whether path identifiers precede them depends on the session of the
 * peer, about which the message contains nothing: they do if the bytes have only that form, and the station has found
 * no error in them.
 */
export function prefixes(reader, name, section, isIpv6) {
    const bits = isIpv6 ? 128 : 32;
    const hasIds = !reader.hasFault && !arePrefixes(reader.remaining, bits, 0) && arePrefixes(reader.remaining, bits, ID_LENGTH);
    while (reader.left > 0) {
        if (hasIds) {
            reader.take(ID_LENGTH, 'path identifier', 'RFC 7911, 3');
        }
        const length = reader.peek();
        if (length > bits) {
            reader.take(1, name, section, () => `length ${length}, more than ${bits} bits`);
            reader.rest(name, section);
            return;
        }
        reader.take(1 + Math.ceil(length / 8), name, section, bytes => {
            const full = new Uint8Array(bits / 8);
            full.set(bytes.subarray(1));
            return `${address(full)}/${length}`;
        });
    }
}

/**
 * Returns whether the bytes are prefixes that a router sends: none is longer than an address or has bits behind its
 * length, and only identifiers distinguish several default routes.
 */
function arePrefixes(bytes, bits, idLength) {
    let defaultRoutes = 0;
    let at = 0;
    while (at < bytes.length) {
        const length = bytes[at + idLength];
        const end = at + idLength + 1 + Math.ceil(length / 8);
        if (!(length <= bits) || end > bytes.length || length % 8 > 0 && (bytes[end - 1] & 0xff >> length % 8) !== 0) {
            return false;
        }
        defaultRoutes += length === 0 ? 1 : 0;
        at = end;
    }
    return idLength > 0 || defaultRoutes < 2;
}
