import { signal } from '@preact/signals';

/**
 * Where the reader is: all of it stands in the URL behind `#`, so that a link shows the same view
 * again. The node sees none of it, and serves one document, whatever proxy path is before it.
 */
interface Place {
  /** `['jobs', 'backup']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** What a link says of its place: undefined leaves a parameter out. */
type QueryChange = Readonly<Record<string, string | readonly string[] | undefined>>;

export const place = signal<Place>(readPlace(location.hash));

addEventListener('hashchange', () => {
  place.value = readPlace(location.hash);
});

function readPlace(hash: string): Place {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#?\/?/, ''), '?');
  const names = path === '' ? [] : path.split('/').map(decode);
  return { path: names, query: new URLSearchParams(query) };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand, with a % of its own
  }
}

/** A link: `linkTo(['jobs', name], { revision: '2' })`. */
export function linkTo(path: readonly string[], query: QueryChange = {}): string {
  const text = queryOf(new URLSearchParams(), query).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Goes there; Back leads to where the reader was. */
export function goTo(path: readonly string[], query: QueryChange = {}): void {
  location.hash = linkTo(path, query);
}

/** Goes there with the keyboard, too: not back to where it was before. */
export function jumpTo(path: readonly string[]): void {
  goTo(path);
  document.getElementById('main')?.focus();
}

/** Shows a place instead of the present one, which Back does not lead to. */
export function showPlace(path: readonly string[]): void {
  const hash = linkTo(path);
  history.replaceState(history.state, '', hash);
  place.value = readPlace(hash);
}

/** Changes parameters of the present view; Back does not step through each letter of a search. */
export function changeQuery(change: QueryChange): void {
  const { path, query } = place.value;
  const changed = queryOf(new URLSearchParams(query), change);
  const text = changed.toString();
  const hash = `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
  history.replaceState(history.state, '', hash);
  place.value = { path, query: changed };
}

function queryOf(query: URLSearchParams, change: QueryChange): URLSearchParams {
  for (const [name, value] of Object.entries(change)) {
    query.delete(name);
    if (value === undefined) continue;
    for (const each of typeof value === 'string' ? [value] : value) query.append(name, each);
  }
  return query;
}
