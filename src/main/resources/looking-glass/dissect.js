// The fields of a quarantined BMP message (RFC 7854, Section 4), down to those of the BGP messages in it, as far as the
// bytes have the form that the lengths in them announce.

import {readMessage} from './bgp.js';
import {count} from './format.js';
import {Reader, address, code, hex} from './reader.js';

const VERSIONS = [3, 4];
const TYPES = ['Route Monitoring', 'Statistics Report', 'Peer Down Notification', 'Peer Up Notification', 'Initiation', 'Termination', 'Route Mirroring'];
const PEER_TYPES = ['Global Instance', 'RD Instance', 'Local Instance', 'Loc-RIB Instance'];
const LOC_RIB = 3;
/** The bytes of the marker of a BGP message (RFC 4271, Section 4.1). */
const MARKER = 16;
const INFORMATION = ['string', 'sysDescr', 'sysName', 'VRF or table name', 'admin label'];
const TERMINATION = ['string', 'reason'];
const REASONS = ['', 'local system closed, NOTIFICATION sent', 'local system closed, no NOTIFICATION', 'remote system closed, NOTIFICATION received',
    'remote system closed, no NOTIFICATION', 'peer de-configured', 'local system closed, TLVs follow'];
const STATISTICS = ['rejected prefixes', 'duplicate prefix advertisements', 'duplicate withdrawals', 'CLUSTER_LIST loops', 'AS_PATH loops', 'ORIGINATOR_ID loops', 'AS_CONFED loops',
    'routes in Adj-RIBs-In', 'routes in Loc-RIB', 'routes in Adj-RIBs-In of a family', 'routes in Loc-RIB of a family', 'updates treated as withdrawals',
    'prefixes treated as withdrawals', 'duplicate updates', 'routes in pre-policy Adj-RIBs-Out', 'routes in post-policy Adj-RIBs-Out',
    'routes in pre-policy Adj-RIBs-Out of a family', 'routes in post-policy Adj-RIBs-Out of a family'];

/** The bodies of the messages by type. */
const BODIES = [readMessage, statistics, peerDown, peerUp, reader => information(reader, INFORMATION, 'RFC 7854, 4.4'), reader => information(reader, TERMINATION, 'RFC 7854, 4.5'), mirroring];
const WITHOUT_PEER = [4, 5];
const ROUTE_MONITORING = 0;

/** Returns the bytes of a hexadecimal text. */
export function bytesOf(text) {
    return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

/**
 * Returns the fields in order: `{offset, length, name, value, section}`.
 *
 * @param {?number} fault the byte that could not be decoded, if there is one
 */
export function dissect(bytes, fault = null) {
    const reader = new Reader(bytes, fault);
    const version = reader.take(1, 'Version', 'RFC 7854, 4.1');
    reader.take(4, 'Message length', 'RFC 7854, 4.1', (field, value) => `${value}${value === bytes.length ? '' : `, but ${bytes.length} are stored`}`);
    const type = reader.take(1, 'Message type', 'RFC 7854, 4.1', code(TYPES));
    const peer = type === null || WITHOUT_PEER.includes(type) ? null : peerHeader(reader);
    if (version === 4 && type === ROUTE_MONITORING) {
        indexed(reader, peer.asLength);
    } else if (VERSIONS.includes(version) && type !== null) {
        BODIES[type]?.(reader, peer?.asLength ?? 4, peer?.isIpv6 ?? false);
    }
    reader.rest('Other bytes', 'RFC 7854, 4');
    if (reader.omitted > 0) {
        reader.fields.push({offset: bytes.length, length: 0, name: 'Not shown', value: count(reader.omitted, 'field'), section: ''});
    }
    return reader.fields;
}

/**
 * The TLVs of version 4, whose numbers depend on the draft that the router implements: the one with a BGP message is
 * recognized by its marker.
 */
function indexed(reader, asLength) {
    const section = 'draft-ietf-grow-bmp-tlv';
    while (reader.left > 0) {
        const type = reader.take(2, 'TLV type', section);
        const length = type === null ? null : reader.takeLength(2, 'TLV length', section);
        reader.take(2, 'TLV index', section);
        reader.within(length, section, () => {
            if (reader.left >= MARKER && reader.remaining.subarray(0, MARKER).every(byte => byte === 0xff)) {
                readMessage(reader, asLength);
            } else {
                reader.rest('TLV value', section);
            }
        });
    }
}

/** Returns what the rest depends on: the octets of an AS number, and whether the peer has IPv6 addresses. */
function peerHeader(reader) {
    const section = 'RFC 7854, 4.2';
    const type = reader.take(1, 'Peer type', section, code(PEER_TYPES));
    const flags = reader.take(1, 'Peer flags', section, (bytes, value) => flagNames(type, value));
    const isIpv6 = type !== LOC_RIB && (flags & 0x80) !== 0;
    reader.take(8, 'Peer distinguisher', section, hex);
    reader.take(16, 'Peer address', section, bytes => addressOf(bytes, isIpv6));
    reader.take(4, 'Peer AS', section);
    reader.take(4, 'Peer BGP ID', section, address);
    reader.take(8, 'Timestamp', section, timestamp);
    return {asLength: type !== LOC_RIB && flags & 0x20 ? 2 : 4, isIpv6};
}

function peerUp(reader, asLength, isIpv6) {
    const section = 'RFC 7854, 4.10';
    reader.take(16, 'Local address', section, bytes => addressOf(bytes, isIpv6));
    reader.take(2, 'Local port', section);
    reader.take(2, 'Remote port', section);
    reader.named('Sent OPEN', () => readMessage(reader, asLength));
    reader.named('Received OPEN', () => readMessage(reader, asLength));
    information(reader, INFORMATION, 'RFC 7854, 4.4');
}

function peerDown(reader, asLength) {
    const section = 'RFC 7854, 4.9';
    const reason = reader.take(1, 'Reason', section, code(REASONS));
    if (reason === 1 || reason === 3) {
        reader.named('NOTIFICATION', () => readMessage(reader, asLength));
    } else if (reason === 2) {
        reader.take(2, 'FSM event', section);
    } else if (reason === 6) {
        information(reader, INFORMATION, 'RFC 9069, 5.3');
    }
}

function statistics(reader) {
    const section = 'RFC 7854, 4.8';
    reader.take(4, 'Number of statistics', section);
    while (reader.left > 0) {
        const type = reader.take(2, 'Statistic type', section, code(STATISTICS));
        const length = type === null ? null : reader.takeLength(2, 'Statistic length', section);
        reader.within(length, section, () => {
            if (reader.left === 11) {
                reader.take(2, 'AFI', section);
                reader.take(1, 'SAFI', section);
            }
            reader.take(reader.left, 'Statistic value', section, bytes => unsigned(bytes));
        });
    }
}

/** Gauges have eight bytes, more than a number can hold. */
function unsigned(bytes) {
    return bytes.length === 0 ? 'none' : String(BigInt(`0x${hex(bytes)}`));
}

function information(reader, names, section) {
    while (reader.left > 0) {
        const type = reader.take(2, 'TLV type', section, code(names));
        const length = type === null ? null : reader.takeLength(2, 'TLV length', section);
        if (length > 0) {
            const isReason = names === TERMINATION && type === 1;
            reader.take(Math.min(length, reader.left), 'TLV value', section, bytes => (isReason ? unsigned(bytes) : text(bytes)));
        }
    }
}

function mirroring(reader, asLength) {
    const section = 'RFC 7854, 4.7';
    while (reader.left > 0) {
        const type = reader.take(2, 'TLV type', section, code(['BGP message', 'information']));
        const length = type === null ? null : reader.takeLength(2, 'TLV length', section);
        reader.within(length, section, () => {
            if (type === 0) {
                readMessage(reader, asLength);
            } else if (type === 1) {
                reader.take(2, 'Information code', section, code(['errored PDU', 'messages lost']));
            }
        });
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

/** Loc-RIB peers have flags of their own (RFC 9069, Section 4.2); the others those of RFC 7854 and RFC 8671. */
function flagNames(peerType, value) {
    const names = peerType === LOC_RIB
        ? [[0x80, 'F: filtered']]
        : [[0x80, 'V: IPv6'], [0x40, 'L: post-policy'], [0x20, 'A: two-octet AS_PATH'], [0x10, 'O: Adj-RIB-Out']];
    const set = names.filter(([bit]) => value & bit).map(([, name]) => name);
    return `0x${value.toString(16).padStart(2, '0')}${set.length > 0 ? ` (${set.join(', ')})` : ''}`;
}

/** IPv4 addresses are in the last four of sixteen bytes. */
function addressOf(bytes, isIpv6) {
    return address(isIpv6 ? bytes : bytes.subarray(12));
}

function text(bytes) {
    return new TextDecoder().decode(bytes);
}

function timestamp(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const seconds = view.getUint32(0);
    return seconds === 0 ? '0 (unknown)' : `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}.${String(view.getUint32(4)).padStart(6, '0')} UTC`;
}
