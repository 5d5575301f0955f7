// The names of communities: the well-known ones, and those of the files that the station is configured with.

import {get} from './api.js';

/** Communities with a meaning of their own: the IANA registry of well-known communities. */
const WELL_KNOWN = {
    '65535:0': 'graceful-shutdown',
    '65535:1': 'accept-own',
    '65535:6': 'llgr-stale',
    '65535:7': 'no-llgr',
    '65535:8': 'accept-own-nexthop',
    '65535:9': 'standby-pe',
    '65535:666': 'blackhole',
    '65535:65281': 'no-export',
    '65535:65282': 'no-advertise',
    '65535:65283': 'no-export-subconfed',
    '65535:65284': 'no-peer',
};

/** The numbers of the well-known communities by their names. */
export const COMMUNITY_NUMBERS = Object.fromEntries(Object.entries(WELL_KNOWN).map(([number, name]) => [name, number]));

/**
 * The configured names by the first part of their communities; empty where that is a pattern. Each is a function that
 * returns the name of a community, or `null` if it is that of others.
 */
const configured = new Map();
let loading = null;

/** Loads the names of communities once; without them communities are shown as numbers. */
export function loadCommunityNames() {
    loading ??= get('community-names').then(entries => entries.forEach(addName), () => {});
    return loading;
}

function addName(entry) {
    const nameOf = entry.values ? byFields(entry) : byPattern(entry);
    if (nameOf !== null) {
        const first = /^(\d+|(?!nnn$|x+$)[a-z][a-z0-9-]*)$/.exec(entry.community.split(':')[0])?.[0] ?? '';
        const list = configured.get(first) ?? [];
        list.push(nameOf);
        configured.set(first, list);
    }
}

/** In a community, x is any digit, nnn any number and 10-20 a range; $0 in a name is the first of these values. */
function byPattern({community, name}) {
    const ranges = [];
    const pattern = new RegExp(`^${community.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/nnn|x+|\d+-\d+/g, part => {
        if (part === 'nnn') {
            return '(\\d+)';
        }
        if (part.startsWith('x')) {
            return `(\\d{${part.length}})`;
        }
        ranges.push(part.split('-').map(Number));
        return `(?<r${ranges.length}>\\d+)`;
    })}$`);
    return text => {
        const match = pattern.exec(text);
        return match && ranges.every(([from, to], i) => match.groups[`r${i + 1}`] >= from && match.groups[`r${i + 1}`] <= to)
            ? name.replaceAll(/\$(\d)/g, (variable, i) => match[Number(i) + 1] ?? variable) : null;
    };
}

/**
 * A definition of the YANG module: each value behind the AS number consists of fields, which are digits or, with
 * `bits`, so many bits. The name is followed by the fields whose value is their description.
 *
 * @return {?function(string)} null if the definition cannot be used
 */
function byFields({community, name, values}) {
    const matchers = values.map(({fields}) => fields.map(({pattern}) => regularExpression(pattern)));
    if (matchers.flat().includes(null)) {
        return null;
    }
    return text => {
        const numbers = text.startsWith(`${community}:`) ? text.slice(community.length + 1).split(':') : [];
        if (numbers.length !== values.length || !numbers.every(number => /^\d{1,10}$/.test(number))) {
            return null;
        }
        const variables = [];
        const matches = values.every(({bits, fields}, i) => {
            const digits = bits ? Number(numbers[i]).toString(2).padStart(bits, '0') : numbers[i];
            let at = 0;
            const each = fields.every((field, k) => {
                const value = digits.slice(at, at + (field.length ?? digits.length));
                at += value.length;
                if (!/^\^?\d+\$?$/.test(field.pattern) && field.description === '*') {
                    variables.push(`${field.name} ${value}`);
                }
                return matchers[i][k].test(value);
            });
            return each && at === digits.length;
        });
        return matches ? `${name}${variables.length > 0 ? ` (${variables.join(', ')})` : ''}` : null;
    };
}

/**
 * Returns a pattern as a regular expression of the whole value. One that repeats a group is not supported: matching may
 * take exponential time, and the files come from other networks.
 */
function regularExpression(pattern) {
    try {
        return /\)[*+?{]/.test(pattern) ? null : new RegExp(`^(?:${pattern})$`);
    } catch {
        return null;
    }
}

/** The name of a community; null without one. */
export function communityName(community) {
    if (WELL_KNOWN[community]) {
        return WELL_KNOWN[community];
    }
    for (const nameOf of [community.split(':')[0], ''].flatMap(first => configured.get(first) ?? [])) {
        const name = nameOf(community);
        if (name !== null) {
            return name;
        }
    }
    return null;
}
