// The fields of a quarantined BMP message as far as they have a fixed layout: the common header (RFC 7854, Section
// 4.1), the per-peer header (Section 4.2) and the header of the BGP message in Route Monitoring (RFC 4271, Section 4.1).

import {count} from './format.js';

const TYPES = ['Route Monitoring', 'Statistics Report', 'Peer Down Notification', 'Peer Up Notification', 'Initiation', 'Termination', 'Route Mirroring'];
const PEER_TYPES = ['Global Instance', 'RD Instance', 'Local Instance', 'Loc-RIB Instance'];
const BGP_TYPES = {1: 'OPEN', 2: 'UPDATE', 3: 'NOTIFICATION', 4: 'KEEPALIVE', 5: 'ROUTE-REFRESH'};
const ATTRIBUTES = ['', 'ORIGIN', 'AS_PATH', 'NEXT_HOP', 'MULTI_EXIT_DISC', 'LOCAL_PREF', 'ATOMIC_AGGREGATE', 'AGGREGATOR', 'COMMUNITIES', 'ORIGINATOR_ID',
    'CLUSTER_LIST', '', '', '', 'MP_REACH_NLRI', 'MP_UNREACH_NLRI', 'EXTENDED COMMUNITIES', 'AS4_PATH', 'AS4_AGGREGATOR'];
const WITHOUT_PEER = [4, 5];
const COMMON_HEADER = 6;
const PEER_HEADER = 42;
const BGP_HEADER = 19;

/** Returns the bytes of a hexadecimal text. */
export function bytesOf(hex) {
    return Uint8Array.from(hex.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

/** Returns the fields in order: `{offset, length, name, value, section}`. */
export function dissect(bytes) {
    const fields = [];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const add = (offset, length, name, section, value) => {
        if (offset + length <= bytes.length) {
            fields.push({offset, length, name, section, value: value()});
        }
    };
    add(0, 1, 'Version', 'RFC 7854, 4.1', () => String(view.getUint8(0)));
    add(1, 4, 'Message length', 'RFC 7854, 4.1', () => `${view.getUint32(1)}${view.getUint32(1) === bytes.length ? '' : `, but ${bytes.length} are stored`}`);
    add(5, 1, 'Message type', 'RFC 7854, 4.1', () => named(view.getUint8(5), TYPES));
    if (bytes.length < COMMON_HEADER || WITHOUT_PEER.includes(bytes[5])) {
        return fields;
    }
    const peer = COMMON_HEADER;
    const section = 'RFC 7854, 4.2';
    add(peer, 1, 'Peer type', section, () => named(view.getUint8(peer), PEER_TYPES));
    add(peer + 1, 1, 'Peer flags', section, () => flags(view.getUint8(peer), view.getUint8(peer + 1)));
    add(peer + 2, 8, 'Peer distinguisher', section, () => hex(bytes.subarray(peer + 2, peer + 10)));
    add(peer + 10, 16, 'Peer address', section, () => address(bytes.subarray(peer + 10, peer + 26), bytes[peer + 1] & 0x80));
    add(peer + 26, 4, 'Peer AS', section, () => String(view.getUint32(peer + 26)));
    add(peer + 30, 4, 'Peer BGP ID', section, () => [...bytes.subarray(peer + 30, peer + 34)].join('.'));
    add(peer + 34, 8, 'Timestamp', section, () => timestamp(view, peer + 34));
    const message = COMMON_HEADER + PEER_HEADER;
    if (bytes[5] === 0 && bytes.length >= message + BGP_HEADER) {
        add(message, 16, 'BGP marker', 'RFC 4271, 4.1', () => hex(bytes.subarray(message, message + 16)));
        add(message + 16, 2, 'BGP length', 'RFC 4271, 4.1', () => String(view.getUint16(message + 16)));
        add(message + 18, 1, 'BGP type', 'RFC 4271, 4.1', () => `${bytes[message + 18]} ${BGP_TYPES[bytes[message + 18]] ?? 'unassigned'}`);
        if (bytes[message + 18] === 2) {
            update(bytes, view, message + BGP_HEADER, add);
        }
    }
    return fields;
}

/** The lengths in an UPDATE and its path attributes, as long as they fit into the message. */
function update(bytes, view, start, add) {
    const section = 'RFC 4271, 4.3';
    add(start, 2, 'Withdrawn routes length', section, () => String(view.getUint16(start)));
    if (start + 2 > bytes.length) {
        return;
    }
    const total = start + 2 + view.getUint16(start);
    add(total, 2, 'Total path attribute length', section, () => String(view.getUint16(total)));
    if (total + 2 > bytes.length) {
        return;
    }
    const nlri = total + 2 + view.getUint16(total);
    const end = Math.min(bytes.length, nlri);
    let at = total + 2;
    while (at + 3 <= end) {
        const isExtended = (bytes[at] & 0x10) !== 0;
        const header = isExtended ? 4 : 3;
        if (at + header > end) {
            break;
        }
        const length = isExtended ? view.getUint16(at + 2) : bytes[at + 2];
        const available = Math.min(length, bytes.length - at - header);
        const from = at;
        add(from, header + available, ATTRIBUTES[bytes[from + 1]] || `Path attribute ${bytes[from + 1]}`, section,
            () => `flags 0x${hex(bytes.subarray(from, from + 1))}, ${count(length, 'byte')}${available < length ? `, but only ${available} follow` : ''}`);
        at += header + length;
    }
    if (nlri < bytes.length) {
        add(nlri, bytes.length - nlri, 'NLRI', section, () => count(bytes.length - nlri, 'byte'));
    }
}

/** A hex dump: lines of `{offset, bytes}` with 16 bytes each. */
export function dump(bytes) {
    const lines = [];
    for (let offset = 0; offset < bytes.length; offset += 16) {
        lines.push({offset, bytes: bytes.subarray(offset, offset + 16)});
    }
    return lines;
}

export function hex(bytes) {
    return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

function named(number, names) {
    return `${number} ${names[number] ?? 'unassigned'}`;
}

/** Loc-RIB peers have flags of their own (RFC 9069, Section 4.2); the others those of RFC 7854 and RFC 8671. */
function flags(peerType, value) {
    const names = peerType === 3
        ? [[0x80, 'F: filtered']]
        : [[0x80, 'V: IPv6'], [0x40, 'L: post-policy'], [0x20, 'A: two-octet AS_PATH'], [0x10, 'O: Adj-RIB-Out']];
    const set = names.filter(([bit]) => value & bit).map(([, name]) => name);
    return `0x${value.toString(16).padStart(2, '0')}${set.length > 0 ? ` (${set.join(', ')})` : ''}`;
}

function address(bytes, isIpv6) {
    if (!isIpv6) {
        return [...bytes.subarray(12)].join('.');
    }
    const groups = [];
    for (let i = 0; i < bytes.length; i += 2) {
        groups.push((bytes[i] << 8 | bytes[i + 1]).toString(16));
    }
    return groups.join(':').replace(/\b0(:0\b)+/, ':').replace(/:{3,}/, '::');
}

function timestamp(view, at) {
    const seconds = view.getUint32(at);
    return seconds === 0 ? '0 (unknown)' : `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}.${String(view.getUint32(at + 4)).padStart(6, '0')} UTC`;
}
