// Names of autonomous systems: tooltips of AS numbers, which appear once the station has answered.

import {get} from './api.js';

/** Keeps the request below the limit of a parameter's length. */
const MAX_NUMBERS = 300;
const MAX_KNOWN = 20000;

/** AS number → name, or null while or if there is none. */
const known = new Map();
/** AS number → elements that wait for its name. */
let waiting = new Map();

/** Gives an element the name of an AS as its tooltip. */
export function nameOf(element, asn) {
    if (known.get(asn)) {
        show(element, asn, known.get(asn));
    } else if (waiting.has(asn)) {
        waiting.get(asn).push(element);
    } else if (!known.has(asn)) {
        waiting.set(asn, [element]);
        if (waiting.size === 1) {
            setTimeout(request);
        }
    }
    return element;
}

async function request() {
    const elements = waiting;
    waiting = new Map();
    if (known.size > MAX_KNOWN) {
        known.clear();
    }
    const numbers = [...elements.keys()];
    for (let from = 0; from < numbers.length; from += MAX_NUMBERS) {
        const some = numbers.slice(from, from + MAX_NUMBERS);
        // The page is complete without names.
        const names = await get('as-names', {asn: some.join(',')}).catch(() => []);
        some.forEach(asn => known.set(asn, null));
        for (const {asn, name} of names) {
            known.set(String(asn), name);
            elements.get(String(asn))?.forEach(element => show(element, asn, name));
        }
    }
}

function show(element, asn, name) {
    element.title = `AS${asn} ${name}`;
}
