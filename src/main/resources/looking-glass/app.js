// The frame of the page: it shows the view that the URL names, and the station's state beside it.

import {get, Problem} from './api.js';
import {loadCommunityNames} from './communitynames.js';
import {el} from './dom.js';
import {count, moment, timeText} from './format.js';
import {changed, current, go, onChange, to} from './location.js';

/** Each view's title and module; the first three are about what is in the search box. */
const VIEWS = {
    routes: ['Routes', () => import('./routes.js')],
    compare: ['Compare', () => import('./compare.js')],
    history: ['History', () => import('./history.js')],
    routers: ['Routers', () => import('./routers.js')],
    peers: ['Peers', () => import('./peers.js')],
    changes: ['Changes', () => import('./changes.js')],
    alerts: ['Alerts', () => import('./alerts.js')],
    quarantine: ['Quarantine', () => import('./quarantine.js')],
    live: ['Live', () => import('./live.js')],
};

const ABOUT_SEARCH = ['routes', 'compare', 'history'];
const STATION_INTERVAL = 10_000;

const main = document.getElementById('main');
const search = document.getElementById('q');
const momentInput = document.getElementById('at');
const station = document.getElementById('station');
const past = document.getElementById('past');

let running = new AbortController();

/** What a view may do: show its elements, and announce its result to screen readers. */
class Page {
    constructor(signal, focus) {
        this.signal = signal;
        this.focus = focus;
        this.shown = false;
        this.focusMoved = false;
        document.addEventListener('focusin', () => { this.focusMoved = true; }, {signal});
    }

    /** Replaces the content, unless another view has been opened meanwhile. */
    show(heading, ...nodes) {
        if (this.signal.aborted) {
            return;
        }
        const title = el('h1', {tabindex: '-1'}, heading);
        main.replaceChildren(title, ...nodes.filter(node => node !== null && node !== undefined));
        main.removeAttribute('aria-busy');
        document.title = `${title.textContent} · Silkroute`;
        const focused = document.activeElement;
        const isFree = focused === document.body || focused !== search && !this.focusMoved;
        if (!this.shown && this.focus && isFree) { // not where the user has moved on while the view was loading
            title.focus({preventScroll: true});
        }
        this.shown = true;
    }

    announce(text) {
        if (!this.signal.aborted) {
            document.getElementById('announcement').textContent = text;
        }
    }

    /** Shows a failure below the view's heading. */
    fail(heading, error) {
        if (error.name === 'AbortError' || this.signal.aborted) {
            return;
        }
        if (!(error instanceof Problem)) {
            console.error(error);
        }
        const missing = error.status === 404;
        this.show(heading, el('div', {class: 'notice', role: 'alert'},
            el('p', {}, missing ? 'This station does not offer this answer.' : error.message),
            missing ? null : el('button', {type: 'button', onclick: () => render(false)}, 'Try again')));
    }
}

async function render(focus) {
    running.abort();
    running = new AbortController();
    const state = current();
    const name = Object.hasOwn(VIEWS, state.view ?? '') ? state.view : 'routes';
    const [title, load] = VIEWS[name];
    renderFrame(state, name);
    main.setAttribute('aria-busy', 'true');
    const page = new Page(running.signal, focus);
    try {
        const [view] = await Promise.all([load(), loadCommunityNames()]);
        await view.render(state, page);
    } catch (error) {
        page.fail(title, error);
    }
}

function renderFrame(state, name) {
    if (document.activeElement !== search) {
        search.value = state.q ?? '';
    }
    momentInput.value = state.at ? timeText(state.at) : '';
    momentInput.setCustomValidity('');
    past.hidden = !state.at;
    past.replaceChildren(...(state.at
        ? ['The state at ', el('strong', {}, `${timeText(state.at)} UTC`), '. ', el('a', {href: changed({at: null})}, 'Return to now')]
        : []));
    const query = ABOUT_SEARCH.includes(name) ? state.q : undefined;
    document.getElementById('views').replaceChildren(...Object.entries(VIEWS).map(([view, [title]]) =>
        el('a', {
            href: to({view: view === 'routes' ? null : view, q: ABOUT_SEARCH.includes(view) ? state.q ?? query : null}),
            'aria-current': view === name ? 'page' : null,
        }, title)));
}

/** A summary of the station that is there in every view. */
async function renderStation() {
    try {
        const status = await get('status');
        const {routers, peers, rib, problems} = status;
        const parts = [
            [`${routers.connected ?? 0} of ${count(routers.total, 'router')} connected`, (routers.connected ?? 0) < routers.total],
            [`${peers.up ?? 0} of ${count(peers.total, 'peer view')} up`, (peers.up ?? 0) < peers.total],
        ];
        if (rib) {
            parts.push([count(rib.routes, 'route'), false]);
        }
        (problems ?? []).forEach(problem => parts.push([problem, true]));
        station.replaceChildren(...parts.map(([text, isWarning]) => el('span', {class: isWarning ? 'warning' : null}, text)));
    } catch (error) {
        station.replaceChildren(el('span', {class: 'warning'}, error.message));
    }
}

/** A station in a hidden tab is not polled. */
function pollStation() {
    if (!document.hidden) {
        renderStation();
    }
}

document.addEventListener('click', event => {
    const link = event.target.closest?.('a[href^="./"]');
    if (link && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        search.blur();
        go(link.getAttribute('href'));
        window.scrollTo(0, 0);
    }
});

document.getElementById('search').addEventListener('submit', event => {
    event.preventDefault();
    const state = current();
    go(to({view: ABOUT_SEARCH.includes(state.view) ? state.view : null, q: search.value.trim()}));
});

document.getElementById('moment').addEventListener('submit', event => {
    event.preventDefault();
    const at = moment(momentInput.value);
    momentInput.setCustomValidity(at === null ? 'Not a time. Examples: 2026-11-25 14:30, 14:30, -2h' : '');
    if (momentInput.reportValidity()) {
        go(changed({at}));
    }
});
momentInput.addEventListener('input', () => momentInput.setCustomValidity(''));
document.getElementById('now').addEventListener('click', () => go(changed({at: null})));

document.addEventListener('keydown', event => {
    if (event.key === '/' && !event.target.closest('input, select, textarea')) {
        event.preventDefault();
        search.focus();
        search.select();
    }
});

onChange(() => render(true));
render(false);
renderStation();
setInterval(pollStation, STATION_INTERVAL);
document.addEventListener('visibilitychange', pollStation);
