// Texts of numbers and times. All times are UTC, because routers and stations are in different places.

import {el, unknown} from './dom.js';

const NUMBER = new Intl.NumberFormat('en-US');
const SHORT = new Intl.NumberFormat('en-US', {notation: 'compact', maximumFractionDigits: 1});

export function number(value) {
    return value === null || value === undefined ? unknown() : NUMBER.format(value);
}

export function shortNumber(value) {
    return SHORT.format(value);
}

/** "1 route", "2 routes". */
export function count(value, noun) {
    return `${NUMBER.format(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The time to the second, with the exact one as a tooltip. */
export function time(iso) {
    if (!iso) {
        return unknown();
    }
    return el('time', {datetime: iso, title: iso, class: 'time'}, timeText(iso));
}

export function timeText(iso) {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? String(iso) : date.toISOString().slice(0, 19).replace('T', ' ');
}

/** With milliseconds, for events that follow each other. */
export function preciseTimeText(iso) {
    return new Date(iso).toISOString().slice(0, 23).replace('T', ' ');
}

/** Microseconds since 1970: events have microseconds, Date only milliseconds. */
export function micros(iso) {
    const fraction = /\.(\d+)/.exec(iso)?.[1] ?? '';
    return Date.parse(iso) * 1000 + Number(fraction.padEnd(6, '0').slice(3, 6));
}

/** "3 m 20 s", the two largest units. */
export function duration(seconds) {
    const units = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];
    let rest = Math.max(0, Math.round(seconds));
    const parts = [];
    for (const [unit, size] of units) {
        if (rest >= size || (unit === 's' && parts.length === 0)) {
            parts.push(`${Math.floor(rest / size)} ${unit}`);
            rest %= size;
        }
    }
    return parts.slice(0, 2).join(' ');
}

const VIEWS = {
    'adj-rib-in-pre': 'Adj-RIB-In pre-policy',
    'adj-rib-in-post': 'Adj-RIB-In post-policy',
    'loc-rib': 'Loc-RIB',
    'adj-rib-out-pre': 'Adj-RIB-Out pre-policy',
    'adj-rib-out-post': 'Adj-RIB-Out post-policy',
};

/** The five RIB views in the order of a route's way through a router. */
export const VIEW_ORDER = Object.keys(VIEWS);

export function viewName(view) {
    return VIEWS[view] ?? view;
}

/** A value of unknown shape as one line: attributes may be texts, numbers, lists or objects. */
export function plain(value) {
    if (Array.isArray(value)) {
        return value.map(plain).join(', ');
    }
    if (value !== null && typeof value === 'object') {
        return Object.entries(value).map(([key, part]) => `${key} ${typeof part === 'object' && part !== null ? `(${plain(part)})` : part}`).join(', ');
    }
    return String(value);
}

const UNITS = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000};

/**
 * The time that a text means, in ISO 8601: a date and time in UTC, a date, a time of today, or how long ago such as
 * `-2h`.
 *
 * @return {?string} `null` if it means none, `''` for now
 */
export function moment(input, now = new Date()) {
    const text = input.trim();
    if (text === '' || text.toLowerCase() === 'now') {
        return '';
    }
    const ago = /^-(\d{1,6})\s*([smhd])$/.exec(text);
    const parts = /^(?:(\d{4}-\d\d-\d\d)(?:[T ]|$))?(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)?\s*Z?$/i.exec(text);
    if (!ago && !(parts && (parts[1] || parts[2]))) {
        return null;
    }
    const date = ago ? new Date(now.getTime() - Number(ago[1]) * UNITS[ago[2]])
        : new Date(`${parts[1] ?? now.toISOString().slice(0, 10)}T${parts[2] ?? '00:00'}Z`);
    return Number.isNaN(date.getTime()) ? null : exact(date, parts?.[2]);
}

/** JavaScript has milliseconds; a time with microseconds keeps them. */
function exact(date, time) {
    const fraction = /\.\d+$/.exec(time ?? '');
    return fraction ? `${date.toISOString().slice(0, 19)}${fraction[0]}Z` : date.toISOString().replace('.000Z', 'Z');
}
