import http from 'node:http';
import { verifyDatabase } from '../../../src/store/verify/verifyDatabase.ts';
import type { Scope } from '../../support/createDatabase.ts';
import { askRaw, type HeardAnswer } from '../world/askRaw.ts';
import { makeWholeApi, type WholeApi } from '../world/wholeApi.ts';
import type { Fuzzed } from './fuzzApi.ts';
import type { FuzzRequest, Sender } from './fuzzRequest.ts';

/**
 * A whole API for the fuzzer. Nothing of what it asks for is ever executed: the worker says of each
 * launch that it ended, so that there are runs to ask about.
 */
export async function makeFuzzWorld(scope: Scope): Promise<Fuzzed & { readonly world: WholeApi }> {
  const world = await makeWholeApi(scope);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  scope.after(async () => agent.destroy());
  const tokens = await makeTokens(world);
  const send = ({ sender, method, target, headers, body }: FuzzRequest): Promise<HeardAnswer> =>
    askRaw(world.origin, {
      ...{ method, path: target, headers, agent, token: tokens[sender] },
      ...(body === null ? {} : { body }),
    });
  // Each is known to be good before the first bad one comes from the same address.
  for (const token of Object.values(tokens)) {
    const asked = { method: 'GET', path: '/api/v1/caller', agent, token };
    if (token !== tokens.bad) await askRaw(world.origin, asked);
  }
  return {
    world,
    origin: world.origin,
    send,
    readJobs: async () => {
      const rows = await world.rows('SELECT name FROM job WHERE removed_at IS NULL');
      return rows.map(({ name }) => name as string);
    },
    work: () => workOff(world),
    examine: async () => {
      const { broken, findings } = await verifyDatabase(world.channel);
      const told = findings.map((finding) => JSON.stringify(finding));
      return [...world.troubles, ...(broken === 0 ? [] : told)];
    },
  };
}

async function makeTokens(world: WholeApi): Promise<Record<Sender, string | undefined>> {
  const secretOf = async (...wishes: Parameters<WholeApi['token']>) =>
    (await world.token(...wishes)).secret;
  return {
    admin: await secretOf('admin'),
    operator: await secretOf('operator'),
    viewer: await secretOf('viewer'),
    scoped: await secretOf('admin', { groups: ['g1'] }),
    nobody: undefined,
    bad: `statecron_${'f'.repeat(12)}_${'x'.repeat(43)}`,
  };
}

/** Ends, in one way or another, what is due. */
async function workOff({ worker }: WholeApi): Promise<void> {
  const ways = [
    { result: 'succeeded', exitCode: 0 },
    { result: 'failed', exitCode: 3 },
    { result: 'timed_out', exitCode: null, signal: 'SIGTERM' },
  ] as const;
  for (const [place, launch] of (await worker.claim()).entries()) {
    if (launch.scheduledForMs > Date.now()) continue;
    await worker.start(launch);
    const output = Buffer.from(`output of ${launch.launchId}\n`);
    const way = ways[place % ways.length];
    await worker.finish(launch, { ...way, output, outputBytes: output.length });
  }
}
