import assert from 'node:assert/strict';

interface SampleJob {
  readonly name: string;
  readonly command: string;
  readonly cron?: string;
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly description?: string;
}

/** What a client of the API does besides the page. */
export interface Client {
  addJob(job: SampleJob): Promise<void>;
  run(job: string, requestId: string): Promise<void>;
  /** @param place below `/api/v1/` */
  read<T>(place: string): Promise<T>;
}

export function makeClient(origin: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (place: string, body: object, status: number) => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/api/v1/${place}`, request);
    assert.equal(answer.status, status, await answer.text());
  };
  return {
    addJob: ({ cron = '@manual', ...job }) => post('jobs', { cron: [cron], ...job }, 201),
    run: (job, requestId) => post(`jobs/${encodeURIComponent(job)}/run`, { requestId }, 202),
    read: async <T>(place: string) => {
      const answer = await fetch(`${origin}/api/v1/${place}`, { headers });
      // What is not there yet is looked for again.
      return (answer.status === 404 ? {} : await answer.json()) as T;
    },
  };
}
