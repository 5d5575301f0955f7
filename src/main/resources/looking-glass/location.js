// The state of the page is the query string of its URL: every view can be linked to and the back button works.

const listeners = [];

/** The parameters of the current URL, as an object without empty values. */
export function current() {
    const state = {};
    for (const [name, value] of new URLSearchParams(window.location.search)) {
        if (value !== '') {
            state[name] = value;
        }
    }
    return state;
}

/** The URL of another view, at the same moment. */
export function to(state) {
    return url({at: current().at, ...state});
}

/** The URL of the current view with some parameters changed; `null` removes one. */
export function changed(changes) {
    return url({...current(), ...changes});
}

/**
 * The options of a table that names the row that was opened last in the URL.
 *
 * @param {function(object): string} id identifies a row
 */
export function opened(id) {
    return {
        isOpen: row => id(row) === current().entry,
        // The rows are the same, so the view need not be rendered again.
        onToggle: (row, isOpen) => window.history.replaceState(null, '', changed({entry: isOpen ? id(row) : null})),
    };
}

/**
 * Goes to a URL of this page.
 *
 * @param {string} href from `to` or `changed`
 * @param {boolean} replace whether the current entry of the history is replaced, for intermediate states
 */
export function go(href, replace = false) {
    window.history[replace ? 'replaceState' : 'pushState'](null, '', href);
    listeners.forEach(listener => listener(false));
}

/** Registers a function that renders the current URL; its argument is whether it was reached by back or forward. */
export function onChange(listener) {
    listeners.push(listener);
    window.addEventListener('popstate', () => listener(true));
}

function url(state) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(state)) {
        if (value !== null && value !== undefined && value !== '') {
            query.set(name, value);
        }
    }
    // Readable where it may be: prefixes, communities and times contain only these two.
    const text = query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':');
    return text === '' ? './' : `./?${text}`;
}
