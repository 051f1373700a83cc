import type { Scope } from './createDatabase.ts';

/**
 * A scope whose clean-ups run in the reverse order of their registration, each even when another
 * failed: node's own run first to last and stop at the first error, so that a database would be
 * dropped under the nodes that use it, and those left running.
 */
export function lastFirst(scope: Scope): Scope {
  const cleanUps: (() => Promise<void>)[] = [];
  scope.after(async () => {
    const errors: unknown[] = [];
    for (const cleanUp of cleanUps.reverse()) {
      await cleanUp().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw errors[0];
  });
  return {
    after: (cleanUp) => {
      cleanUps.push(cleanUp);
    },
  };
}

/** The same for what no test is the scope of: it ends with `close`, once. */
export function closableScope(): { readonly scope: Scope; close(): Promise<void> } {
  const cleanUps: (() => Promise<void>)[] = [];
  return {
    scope: lastFirst({ after: (cleanUp) => void cleanUps.push(cleanUp) }),
    close: async () => {
      for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    },
  };
}
