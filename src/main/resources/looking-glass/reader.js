// Reads the fields of a message one after the other.

import {count} from './format.js';

const MAX_FIELDS = 1000;

/** Collects fields in order: `{offset, length, name, value, section}`. */
export class Reader {
    /** @param {?number} fault the byte that could not be decoded, if there is one */
    constructor(bytes, fault) {
        this.bytes = bytes;
        this.fault = fault;
        this.at = 0;
        this.end = bytes.length;
        this.fields = [];
        this.omitted = 0;
        this.prefix = '';
    }

    get left() {
        return this.end - this.at;
    }

    /** The bytes of the part that follow. */
    get remaining() {
        return this.bytes.subarray(this.at, this.end);
    }

    /** Whether the byte that could not be decoded follows within the part. */
    get hasFault() {
        return this.fault !== null && this.fault >= this.at && this.fault < this.end;
    }

    /** The byte at a distance from the next field; undefined behind the end. */
    peek(distance = 0) {
        return this.at + distance < this.end ? this.bytes[this.at + distance] : undefined;
    }

    /**
     * Adds the next field and returns its number, which is exact up to four bytes. Returns `null` if the message ends
     * within the field.
     *
     * @param {function(Uint8Array, number): string} text the value in words; the number by default
     */
    take(length, name, section, text = (bytes, value) => String(value)) {
        if (length > this.left) {
            if (this.left > 0) {
                this.add(this.left, name, section, `cut off: ${this.left} of ${count(length, 'byte')}`);
            }
            this.at = this.end;
            return null;
        }
        const bytes = this.bytes.subarray(this.at, this.at + length);
        const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
        this.add(length, name, section, text(bytes, value));
        this.at += length;
        return value;
    }

    /** Adds a field that is the length of what follows it. */
    takeLength(size, name, section) {
        const follow = this.left - size;
        return this.take(size, name, section, (bytes, value) => (value > follow ? `${value}, but only ${follow} follow` : String(value)));
    }

    /** Reads a part of the message by a function; bytes of the part that it leaves are a field of their own. */
    within(length, section, read) {
        const end = this.end;
        this.end = Math.min(end, this.at + Math.max(0, length ?? 0));
        read(this);
        this.rest('Other bytes', section);
        this.end = end;
    }

    rest(name, section) {
        if (this.left > 0) {
            this.take(this.left, name, section, hex);
        }
    }

    /** Names the fields that a function reads after the part of the message to which they belong. */
    named(prefix, read) {
        const before = this.prefix;
        this.prefix = `${before}${prefix}: `;
        read(this);
        this.prefix = before;
    }

    add(length, name, section, value) {
        if (this.fields.length < MAX_FIELDS) {
            this.fields.push({offset: this.at, length, name: this.prefix + name, section, value});
        } else {
            this.omitted++;
        }
    }
}

export function hex(bytes) {
    return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** An IPv4 address of four bytes or an IPv6 address of sixteen. */
export function address(bytes) {
    if (bytes.length === 4) {
        return [...bytes].join('.');
    }
    const groups = [];
    for (let i = 0; i < bytes.length; i += 2) {
        groups.push((bytes[i] << 8 | bytes[i + 1]).toString(16));
    }
    // The first of the longest runs of zeros is left out (RFC 5952, Section 4.2).
    let [from, length] = [0, 0];
    for (let i = 0; i < groups.length; i++) {
        const other = groups.slice(i).findIndex(group => group !== '0');
        const zeros = other < 0 ? groups.length - i : other;
        if (zeros > Math.max(1, length)) {
            [from, length] = [i, zeros];
        }
    }
    return length === 0 ? groups.join(':') : `${groups.slice(0, from).join(':')}::${groups.slice(from + length).join(':')}`;
}

/** A number with its name. */
export function code(names) {
    return (bytes, value) => `${value} ${names[value] || 'unassigned'}`;
}
