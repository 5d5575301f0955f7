// What a text in the search box is.

import {COMMUNITY_NUMBERS} from './communitynames.js';

const MAX_ASN = 4294967295;

/**
 * Returns `{kind, text}`: an address, a prefix, an AS number (`text` is the plain number), a community, in which `*`
 * stands for any value of a part, or a DNS name (`name`); `null` if the text is none of them. Two or three decimal
 * numbers between colons are a community and never an IPv6 address, which has eight groups or a `::`.
 */
export function parse(input) {
    const text = (input ?? '').trim();
    const as = /^(?:asn?\s*)?(\d{1,10})$/i.exec(text);
    if (as && Number(as[1]) <= MAX_ASN) {
        return {kind: 'as', text: String(Number(as[1]))};
    }
    const dotted = /^as\s*(\d{1,5})\.(\d{1,5})$/i.exec(text);
    if (dotted && Number(dotted[1]) <= 65535 && Number(dotted[2]) <= 65535) {
        return {kind: 'as', text: String(Number(dotted[1]) * 65536 + Number(dotted[2]))};
    }
    if (COMMUNITY_NUMBERS[text.toLowerCase()]) {
        return {kind: 'community', text: COMMUNITY_NUMBERS[text.toLowerCase()]};
    }
    if (/^(\d+|\*):(\d+|\*)(:(\d+|\*))?$/.test(text) || /^[a-z][a-z0-9-]*:[^\s/]+$/i.test(text) && !/^[0-9a-f]{0,4}:[0-9a-f:.]*$/i.test(text)) {
        return {kind: 'community', text};
    }
    if (/^[0-9a-f:.]+\/\d{1,3}$/i.test(text)) {
        return {kind: 'prefix', text};
    }
    if (/^\d+(\.\d+){3}$/.test(text) || /^[0-9a-f.]*:[0-9a-f:.]+$/i.test(text)) {
        return {kind: 'address', text};
    }
    if (/^([\w-]{1,63}\.)+[a-z][a-z0-9-]{0,62}\.?$/i.test(text)) {
        return {kind: 'name', text: text.toLowerCase()};
    }
    return null;
}
