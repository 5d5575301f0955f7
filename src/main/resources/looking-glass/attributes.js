// Path attributes as elements.

import {nameOf} from './asnames.js';
import {communityName} from './communitynames.js';
import {badge, el, present} from './dom.js';
import {plain} from './format.js';
import {to} from './location.js';

/** The order and the titles of the attributes that most routes have; others follow under their own names. */
const TITLES = {
    next_hop: 'Next hop',
    next_hop_link_local: 'Next hop, link-local',
    as_path: 'AS path',
    origin: 'Origin',
    local_pref: 'Local preference',
    med: 'MED',
    communities: 'Communities',
    large_communities: 'Large communities',
    ext_communities: 'Extended communities',
    labels: 'Labels',
    atomic_aggregate: 'Atomic aggregate',
    aggregator: 'Aggregator',
    originator_id: 'Originator ID',
    cluster_list: 'Cluster list',
    otc: 'Only to Customer',
    aigp: 'AIGP',
    path_status: 'Path marking',
    path_reason: 'Reason of the marking',
};

const ORDER = Object.keys(TITLES);

export function title(name) {
    return TITLES[name] ?? name.replaceAll('_', ' ');
}

/** An AS path whose AS numbers are links; an AS that follows itself is shown once, with the number of repetitions. */
export function asPath(text) {
    if (text === null || text === undefined) {
        return present(null);
    }
    if (text === '') {
        return el('span', {class: 'absent'}, 'empty');
    }
    const path = el('span', {class: 'path', title: text});
    const tokens = text.split(' ');
    for (let i = 0; i < tokens.length;) {
        let end = i + 1;
        while (end < tokens.length && tokens[end] === tokens[i]) {
            end++;
        }
        path.append(...asToken(tokens[i]));
        if (end - i > 1) {
            path.append(el('span', {class: 'times'}, `×${end - i}`));
        }
        if (end < tokens.length) {
            path.append(' ');
        }
        i = end;
    }
    return path;
}

/** Sets and confederations have brackets and commas around their AS numbers. */
function asToken(token) {
    return token.split(/(\d+)/).filter(part => part !== '').map(part =>
        /^\d+$/.test(part) ? nameOf(el('a', {href: to({q: `AS${part}`}), class: 'as'}, part), part) : part);
}

export function communities(list) {
    if (!list || list.length === 0) {
        return present(null);
    }
    return el('span', {class: 'communities'}, list.map((community, i) => {
        const name = communityName(community);
        return [i === 0 ? null : ' ', el('a', {href: to({q: community}), class: 'community', title: name}, community,
            name === null ? null : el('span', {class: 'name'}, ` ${name}`))];
    }));
}

/** All kinds of communities of a route together. */
export function allCommunities(route) {
    return communities([...route.communities ?? [], ...route.large_communities ?? [], ...route.ext_communities ?? []]);
}

/** One attribute's value as an element or text. */
export function value(name, content) {
    if (content === null || content === undefined) {
        return present(null);
    }
    if (name === 'as_path') {
        return asPath(content);
    }
    if (name.endsWith('communities') && Array.isArray(content) && content.every(entry => typeof entry === 'string')) {
        return communities(content);
    }
    return content === true ? 'set' : plain(content);
}

/** The names of attributes in the order of TITLES, others after them. */
export function sorted(names) {
    const rank = name => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
    return [...new Set(names)].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** All attributes of a route as a description list. */
export function attributeList(attributes) {
    return el('dl', {class: 'attributes'}, sorted(Object.keys(attributes)).map(name =>
        el('div', {}, el('dt', {}, title(name)), el('dd', {}, value(name, attributes[name])))));
}

/** The RPKI validity and the ASPA verdict of a route or an event, at the time of the answer; nothing without either. */
export function validity(row) {
    const kinds = {valid: 'good', invalid: 'bad'};
    const states = [['RPKI', row.rpki_validity], ['ASPA', row.aspa]].filter(([, state]) => state);
    return states.map(([name, state]) => [' ', badge(`${name} ${state}`, kinds[state] ?? 'neutral')]);
}

/** The attributes of a route of any answer, with its labels and its path marking. */
export function attributesOf(route) {
    const all = {...route.attributes ?? {}};
    for (const name of ['labels', 'path_status', 'path_reason']) {
        if (route[name] !== null && route[name] !== undefined && !(Array.isArray(route[name]) && route[name].length === 0)) {
            all[name] = route[name];
        }
    }
    return all;
}

/** The names of the attributes in which two sets differ. */
export function differences(before, after) {
    return sorted([...Object.keys(before), ...Object.keys(after)])
        .filter(name => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** What an attribute was and is. Lists show what was removed and added. */
export function difference(name, before, after) {
    if (Array.isArray(before) && Array.isArray(after)) {
        const removed = before.filter(entry => !after.includes(entry));
        const added = after.filter(entry => !before.includes(entry));
        if (removed.length + added.length > 0) {
            return el('span', {class: 'difference signed'},
                removed.map(entry => [el('del', {}, plain(entry)), ' ']), added.map(entry => [el('ins', {}, plain(entry)), ' ']));
        }
    }
    return el('span', {class: 'difference'},
        before === undefined || before === null ? el('span', {class: 'absent'}, 'none') : el('del', {}, plain(before)),
        el('span', {class: 'arrow'}, ' → '),
        after === undefined || after === null ? el('span', {class: 'absent'}, 'none') : el('ins', {}, plain(after)));
}
