// Labels of routers and peers, each a link that shows only those that have it.

import {el} from './dom.js';
import {changed} from './location.js';

export function labels(values, state) {
    return el('span', {class: 'communities'}, Object.entries(values ?? {}).map(([name, value], i) => {
        const label = `${name}:${value}`;
        return [i === 0 ? null : ' ', el('a', {href: changed({label}), class: 'community', 'aria-current': state.label === label ? 'true' : null}, label)];
    }));
}

/** The label by which the rows are selected, and a link that removes it; nothing without one. */
export function labelFilter(state) {
    return state.label ? el('nav', {class: 'tools', 'aria-label': 'Label'},
        el('a', {href: changed({label: null}), 'aria-current': 'true', title: 'Show all'}, `${state.label} ✕`)) : null;
}
