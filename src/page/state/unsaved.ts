/** What was typed and is in memory alone, as secrets may be among it. */
const unsaved = new Set<string>();

/** Has the browser ask before it drops what was typed there, or no longer. */
export function noteUnsaved(where: string, isThere: boolean): void {
  if (isThere) unsaved.add(where);
  else unsaved.delete(where);
  // Without need it would keep the browser from having the page at hand behind Back.
  removeEventListener('beforeunload', ask);
  if (unsaved.size > 0) addEventListener('beforeunload', ask);
}

const drops: (() => void)[] = [];

/** Has this called when what was typed is to go. */
export function whenDropped(drop: () => void): void {
  drops.push(drop);
}

/** At a log-out, and when another reader logs in: what was typed may have secrets in it. */
export function dropUnsaved(): void {
  for (const drop of drops) drop();
}

function ask(event: Event): void {
  event.preventDefault();
}
