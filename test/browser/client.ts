import assert from 'node:assert/strict';

interface SampleJob {
  readonly name: string;
  readonly command: string;
  readonly cron?: string;
  readonly timezone?: string;
  readonly group?: string;
  readonly tag?: readonly string[];
  readonly description?: string;
  readonly outputMax?: string;
  readonly onLabel?: readonly string[];
  readonly onGroup?: readonly string[];
  readonly after?: readonly string[];
}

/** What a client of the API does besides the page. */
export interface Client {
  addJob(job: SampleJob): Promise<void>;
  run(job: string, requestId: string): Promise<void>;
  editJob(job: string, fields: object): Promise<void>;
  addGroup(group: string, nodes: readonly string[]): Promise<void>;
  /** Sends a change that answers with the status. @param place below `/api/v1/` */
  change(method: string, place: string, status: number, body?: object): Promise<void>;
  /** Makes a token, of a viewer unless it says more. */
  addToken(
    name: string,
    more?: object,
  ): Promise<{ readonly secret: string; readonly tokenId: string }>;
  revokeToken(tokenId: string): Promise<void>;
  /** @param place below `/api/v1/` */
  read<T>(place: string): Promise<T>;
}

export function makeClient(origin: string, token: string): Client {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const present: Readonly<Record<string, string>> = { 'if-match': '*' };
  const send = async (
    [method, place]: readonly [method: string, place: string],
    status: number,
    body?: object,
    condition = present,
  ) => {
    const request = {
      method,
      headers: { ...headers, ...condition },
      ...(body && { body: JSON.stringify(body) }),
    };
    const answer = await fetch(`${origin}/api/v1/${place}`, request);
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    return text;
  };
  return {
    addJob: async ({ cron = '@manual', ...job }) => {
      await send(['POST', 'jobs'], 201, { cron: [cron], ...job });
    },
    run: async (job, requestId) => {
      await send(['POST', `jobs/${encodeURIComponent(job)}/run`], 202, { requestId });
    },
    editJob: async (job, fields) => {
      await send(['PATCH', `jobs/${encodeURIComponent(job)}`], 200, fields);
    },
    addGroup: async (group, nodes) => {
      await send(['PUT', `groups/${group}`], 200, { nodes }, { 'if-none-match': '*' });
    },
    change: async (method, place, status, body) => {
      await send([method, place], status, body);
    },
    addToken: async (name, more = {}) =>
      JSON.parse(await send(['POST', 'tokens'], 201, { name, role: 'viewer', ...more })),
    revokeToken: async (tokenId) => {
      await send(['DELETE', `tokens/${tokenId}`], 200);
    },
    read: async <T>(place: string) => {
      const answer = await fetch(`${origin}/api/v1/${place}`, { headers });
      // What is not there yet is looked for again.
      return (answer.status === 404 ? {} : await answer.json()) as T;
    },
  };
}
