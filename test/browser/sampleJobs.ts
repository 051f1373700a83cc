import assert from 'node:assert/strict';

export interface SampleJob {
  readonly name: string;
  readonly command: string;
  readonly cron?: string;
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly description?: string;
}

/** Adds jobs as a client of the API does. */
export function jobAdder(origin: string, token: string) {
  return async ({ cron = '@manual', ...job }: SampleJob): Promise<void> => {
    const answer = await fetch(`${origin}/api/v1/jobs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ cron: [cron], ...job }),
    });
    assert.equal(answer.status, 201, await answer.text());
  };
}
