import { readFileSync } from 'node:fs';

/** The users of this machine. */
export function readUsers(): Set<string> {
  try {
    const names = readFileSync('/etc/passwd', 'utf8').split('\n');
    return new Set(['root', ...names.map((line) => line.split(':', 1)[0] ?? '').filter(Boolean)]);
  } catch {
    return new Set(['root']); // no passwd file: only the one that is everywhere
  }
}
