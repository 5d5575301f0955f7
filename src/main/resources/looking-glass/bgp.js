// The fields of a BGP message (RFC 4271, Section 4).

import {count} from './format.js';
import {nlri, prefixes} from './nlri.js';
import {address, code, hex} from './reader.js';

const TYPES = {1: 'OPEN', 2: 'UPDATE', 3: 'NOTIFICATION', 4: 'KEEPALIVE', 5: 'ROUTE-REFRESH'};
const HEADER = 19;
const AS_TRANS = 23456;

/** The path attributes by type: their name and where they are defined. */
const ATTRIBUTES = {
    1: ['ORIGIN', 'RFC 4271, 5.1.1'],
    2: ['AS_PATH', 'RFC 4271, 5.1.2'],
    3: ['NEXT_HOP', 'RFC 4271, 5.1.3'],
    4: ['MULTI_EXIT_DISC', 'RFC 4271, 5.1.4'],
    5: ['LOCAL_PREF', 'RFC 4271, 5.1.5'],
    6: ['ATOMIC_AGGREGATE', 'RFC 4271, 5.1.6'],
    7: ['AGGREGATOR', 'RFC 4271, 5.1.7'],
    8: ['COMMUNITIES', 'RFC 1997'],
    9: ['ORIGINATOR_ID', 'RFC 4456, 8'],
    10: ['CLUSTER_LIST', 'RFC 4456, 8'],
    14: ['MP_REACH_NLRI', 'RFC 4760, 3'],
    15: ['MP_UNREACH_NLRI', 'RFC 4760, 4'],
    16: ['EXTENDED COMMUNITIES', 'RFC 4360, 2'],
    17: ['AS4_PATH', 'RFC 6793, 3'],
    18: ['AS4_AGGREGATOR', 'RFC 6793, 3'],
    22: ['PMSI_TUNNEL', 'RFC 6514, 5'],
    23: ['Tunnel Encapsulation', 'RFC 9012, 2'],
    25: ['IPv6 EXTENDED COMMUNITIES', 'RFC 5701, 2'],
    26: ['AIGP', 'RFC 7311, 3'],
    29: ['BGP-LS', 'RFC 9552, 5.3'],
    32: ['LARGE_COMMUNITY', 'RFC 8092, 3'],
    35: ['Only to Customer', 'RFC 9234, 5'],
    40: ['Prefix-SID', 'RFC 8669, 3'],
    128: ['ATTR_SET', 'RFC 6368, 5'],
};

/** The values of attributes with a simple form, by type. */
const VALUES = {
    1: reader => reader.take(1, 'origin', ATTRIBUTES[1][1], code(['IGP', 'EGP', 'INCOMPLETE'])),
    2: (reader, asLength) => path(reader, asLength, ATTRIBUTES[2][1]),
    3: reader => reader.take(4, 'address', ATTRIBUTES[3][1], address),
    4: reader => reader.take(4, 'metric', ATTRIBUTES[4][1]),
    5: reader => reader.take(4, 'preference', ATTRIBUTES[5][1]),
    7: (reader, asLength) => aggregator(reader, asLength, ATTRIBUTES[7][1]),
    8: reader => list(reader, 4, 'community', ATTRIBUTES[8][1], bytes => `${bytes[0] << 8 | bytes[1]}:${bytes[2] << 8 | bytes[3]}`),
    9: reader => reader.take(4, 'router', ATTRIBUTES[9][1], address),
    10: reader => list(reader, 4, 'cluster', ATTRIBUTES[10][1], address),
    14: reach,
    15: unreach,
    16: reader => list(reader, 8, 'community', ATTRIBUTES[16][1], hex),
    17: reader => path(reader, 4, ATTRIBUTES[17][1]),
    18: reader => aggregator(reader, 4, ATTRIBUTES[18][1]),
    32: reader => list(reader, 12, 'community', ATTRIBUTES[32][1], bytes => [0, 4, 8].map(at => number(bytes.subarray(at, at + 4))).join(':')),
    35: reader => reader.take(4, 'AS', ATTRIBUTES[35][1]),
};

const SEGMENTS = {1: 'AS_SET', 2: 'AS_SEQUENCE', 3: 'AS_CONFED_SEQUENCE', 4: 'AS_CONFED_SET'};
const NOTIFICATIONS = ['', 'Message Header Error', 'OPEN Message Error', 'UPDATE Message Error', 'Hold Timer Expired', 'Finite State Machine Error', 'Cease',
    'ROUTE-REFRESH Message Error', 'Send Hold Timer Expired'];
const CAPABILITIES = {1: 'Multiprotocol', 2: 'Route Refresh', 5: 'Extended Next Hop', 6: 'Extended Message', 9: 'BGP Role', 64: 'Graceful Restart', 65: 'Four-octet AS numbers',
    69: 'ADD-PATH', 70: 'Enhanced Route Refresh', 71: 'Long-Lived Graceful Restart', 73: 'FQDN', 75: 'Software Version'};

/** @param {number} asLength the octets of an AS number in AS_PATH and AGGREGATOR */
export function readMessage(reader, asLength) {
    const section = 'RFC 4271, 4.1';
    reader.take(16, 'BGP marker', section, hex);
    const length = reader.take(2, 'BGP length', section, (bytes, value) => (value - HEADER + 1 > reader.left - 2 ? `${value}, but the message ends before that` : String(value)));
    const type = reader.take(1, 'BGP type', section, code(TYPES));
    if (type === null) {
        return;
    }
    reader.within(length - HEADER, section, () => {
        switch (type) {
            case 1: open(reader); break;
            case 2: update(reader, asLength); break;
            case 3: notification(reader); break;
            case 5: refresh(reader); break;
        }
    });
}

function open(reader) {
    const section = 'RFC 4271, 4.2';
    reader.take(1, 'version', section);
    reader.take(2, 'AS', section, (bytes, value) => (value === AS_TRANS ? `${value} AS_TRANS` : String(value)));
    reader.take(2, 'hold time', section, (bytes, value) => `${value} s`);
    reader.take(4, 'BGP ID', section, address);
    let size = 1;
    let length = reader.takeLength(1, 'optional parameters length', section);
    if (length === 255 && reader.peek() === 255) {
        size = 2;
        reader.take(1, 'extended parameters', 'RFC 9072, 2', code({255: 'extended'}));
        length = reader.takeLength(2, 'extended parameters length', 'RFC 9072, 2');
    }
    reader.within(length, section, () => {
        while (reader.left > 0) {
            const type = reader.take(1, 'parameter type', section, code({2: 'Capabilities'}));
            const each = reader.takeLength(size, 'parameter length', section);
            reader.within(each, section, () => (type === 2 ? capabilities(reader) : null));
        }
    });
}

function capabilities(reader) {
    while (reader.left >= 2) {
        const type = reader.peek();
        const name = CAPABILITIES[type];
        reader.take(2 + reader.peek(1), `capability ${type}${name ? ` ${name}` : ''}`, 'RFC 5492, 4', bytes => capability(type, bytes.subarray(2)));
    }
}

function capability(type, value) {
    if (type === 1 && value.length === 4) {
        return `AFI ${value[0] << 8 | value[1]}, SAFI ${value[3]}`;
    }
    if (type === 65 && value.length === 4) {
        return String(number(value));
    }
    return value.length === 0 ? 'no value' : hex(value);
}

function notification(reader) {
    const section = 'RFC 4271, 4.5';
    reader.take(1, 'error code', section, code(NOTIFICATIONS));
    reader.take(1, 'error subcode', section);
    reader.rest('data', section);
}

function refresh(reader) {
    const section = 'RFC 2918, 3';
    reader.take(2, 'AFI', section);
    reader.take(1, 'subtype', 'RFC 7313, 3.2', code(['normal', 'begin', 'end']));
    reader.take(1, 'SAFI', section);
}

function update(reader, asLength) {
    const section = 'RFC 4271, 4.3';
    const withdrawn = reader.takeLength(2, 'Withdrawn routes length', section);
    reader.within(withdrawn, section, () => prefixes(reader, 'Withdrawn prefix', section, false));
    const total = reader.takeLength(2, 'Total path attribute length', section);
    reader.within(total, section, () => {
        while (reader.left > 0) {
            attribute(reader, asLength);
        }
    });
    prefixes(reader, 'NLRI', section, false);
}

function attribute(reader, asLength) {
    const flags = reader.peek();
    const type = reader.peek(1);
    const isExtended = (flags & 0x10) !== 0;
    const [name, section] = ATTRIBUTES[type] ?? [`Path attribute ${type}`, 'RFC 4271, 4.3'];
    let length = 0;
    const header = reader.take(isExtended ? 4 : 3, name, section, bytes => {
        length = isExtended ? bytes[2] << 8 | bytes[3] : bytes[2];
        const follow = reader.left - bytes.length;
        return `${flagNames(flags)}, ${count(length, 'byte')}${length > follow ? `, but only ${follow} follow` : ''}`;
    });
    if (header !== null) {
        reader.named(name, () => reader.within(length, section,
            () => (VALUES[type] ? VALUES[type](reader, asLength) : reader.rest('value', section))));
    }
}

function flagNames(flags) {
    const names = [flags & 0x80 ? 'optional' : 'well-known', flags & 0x40 ? 'transitive' : 'non-transitive'];
    return [...names, ...flags & 0x20 ? ['partial'] : [], ...flags & 0x10 ? ['extended length'] : []].join(' ');
}

/** The AS numbers have the other size if the bytes have only that form: some routers do not set the flag A. */
function path(reader, announcedLength, section) {
    const otherLength = announcedLength === 4 ? 2 : 4;
    const asLength = !isPath(reader.remaining, announcedLength) && isPath(reader.remaining, otherLength) ? otherLength : announcedLength;
    while (reader.left > 0) {
        const type = reader.take(1, 'segment type', section, code(SEGMENTS));
        const size = type === null ? null : reader.take(1, 'segment length', section, (bytes, value) => count(value, 'AS number'));
        if (size > 0) {
            reader.take(size * asLength, 'AS numbers', section, bytes => pieces(bytes, asLength).map(number).join(' '));
        }
    }
}

/** Returns whether segments of AS numbers of this size end with the bytes. AS 0 is reserved (RFC 7607). */
function isPath(bytes, asLength) {
    let at = 0;
    while (at + 2 <= bytes.length) {
        const asns = bytes.subarray(at + 2, at + 2 + bytes[at + 1] * asLength);
        if (asns.length < bytes[at + 1] * asLength || pieces(asns, asLength).some(asn => number(asn) === 0)) {
            return false;
        }
        at += 2 + asns.length;
    }
    return at === bytes.length;
}

function aggregator(reader, asLength, section) {
    reader.take(reader.left === 6 ? 2 : asLength, 'AS', section);
    reader.take(4, 'address', section, address);
}

function reach(reader) {
    const section = ATTRIBUTES[14][1];
    const afi = reader.take(2, 'AFI', section);
    const safi = reader.take(1, 'SAFI', section);
    const length = reader.takeLength(1, 'next hop length', section);
    if (length > 0) {
        reader.take(length, 'next hop', section, bytes => (bytes.length % 16 === 0 ? pieces(bytes, 16).map(address).join(' ') : bytes.length === 4 ? address(bytes) : hex(bytes)));
    }
    reader.take(1, 'reserved', section);
    nlri(reader, afi, safi, section);
}

function unreach(reader) {
    const section = ATTRIBUTES[15][1];
    const afi = reader.take(2, 'AFI', section);
    const safi = reader.take(1, 'SAFI', section);
    nlri(reader, afi, safi, section);
}

function list(reader, size, name, section, text) {
    while (reader.left > 0) {
        reader.take(size, name, section, text);
    }
}

function pieces(bytes, size) {
    const all = [];
    for (let at = 0; at < bytes.length; at += size) {
        all.push(bytes.subarray(at, at + size));
    }
    return all;
}

function number(bytes) {
    return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}
