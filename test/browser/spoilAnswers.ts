import type { BrowserContext } from 'playwright-core';

/** What a node says while its database is away. */
const away = {
  ...{ type: 'about:blank', title: 'Service Unavailable', status: 503, code: 'database_away' },
  ...{ detail: 'The database does not answer.', hint: 'Try again in a few seconds.' },
};

export type Spoiled = 'empty' | 'failing' | 'allFailing';

/**
 * Makes what a window reads of the API empty (each list of each answer), or fail. Who it is,
 * it is told unless all fails. The event stream belongs to a worker, which is not in between.
 */
export async function spoilAnswers(
  context: BrowserContext,
  origin: string,
  how: Spoiled,
): Promise<void> {
  await context.route(`${origin}/api/v1/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.endsWith('/caller') && how !== 'allFailing') return route.fallback();
    if (how !== 'empty') {
      const contentType = 'application/problem+json';
      return route.fulfill({ status: 503, contentType, body: JSON.stringify(away) });
    }
    const response = await route.fetch();
    const isJson = response.headers()['content-type']?.startsWith('application/json');
    if (!isJson || !response.ok()) return route.fulfill({ response });
    return route.fulfill({ response, json: emptied(await response.json()) });
  });
}

function emptied(answer: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(answer).map(([name, value]) => [
    name,
    Array.isArray(value) ? [] : value,
  ]);
  return { ...Object.fromEntries(entries), ...('items' in answer ? { next: null } : {}) };
}
