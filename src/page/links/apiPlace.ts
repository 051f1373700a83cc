/**
 * The place of the page that shows what a path of the API shows; null: the page has none for it.
 * So the links that the API gives work here, too.
 */
export function placeOfApi(link: string): readonly string[] | null {
  const { pathname, searchParams } = new URL(link, 'http://node');
  const [first, name] = pathname
    .replace(/^\/api\/v1\//, '')
    .split('/')
    .map(decodeURIComponent);
  if (first === 'cluster' || first === 'limits') return [first];
  if (first === 'runs' && name === undefined) {
    const job = searchParams.get('job');
    return job === null ? null : ['jobs', job];
  }
  const isShown = (first === 'jobs' || first === 'runs') && name !== undefined;
  return isShown ? [first, name] : null;
}
