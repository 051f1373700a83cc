import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addToken } from '../../src/store/tokens/addToken.ts';
import { makeClient } from '../browser/client.ts';
import { patient, startNodeProcess } from '../node/nodeProcess.ts';
import { originOf } from '../node/originOf.ts';
import type { Scope } from '../support/createDatabase.ts';
import { startTestServer } from '../support/startTestServer.ts';
import { makeStoreWorldAt, type StoreWorld } from '../support/storeWorld.ts';
import { until } from '../support/until.ts';
import { sampleJobs, sampleProgram } from './sampleJobs.ts';

/** A cluster of real nodes with the history of a day. */
interface PictureWorld {
  readonly origin: string;
  readonly token: string;
}

/** @param hours how far back its jobs have run */
export async function makePictureWorld(scope: Scope, hours: number): Promise<PictureWorld> {
  const server = await startTestServer();
  scope.after(() => server.stop());
  const world = await makeStoreWorldAt(scope, server.url);
  const request = { name: 'anna', role: 'admin', groups: null, expiresMs: null } as const;
  const token = (await addToken(world.channel, request)).secret ?? '';
  const env = { PATH: `${makePrograms(scope)}:${process.env.PATH}` };
  const start = (name: string, http: string) =>
    startNodeProcess(scope, world, name, ['--http', http, ...patient], world.url, env);
  const first = start('web1', '0');
  const others = ['web2', 'web3'].map((name) => start(name, 'off'));
  const origin = await originOf(first);
  for (const node of [first, ...others]) await node.session();
  const { addJob, editJob, post } = {
    ...makeClient(origin, token),
    post: poster(origin, token),
  };

  for (const { seconds: _, ...job } of sampleJobs) await addJob(job);
  const range = { from: instant(-hours), to: instant(0), max: 200 };
  const running = sampleJobs.filter(({ onLabel }) => onLabel === undefined);
  for (const { name } of running) await post(`jobs/${name}/backfill`, range);
  await until('all of them have run', async () => (await count(world, 'pending')) === 0);
  await settle(world);
  await moveToTicks(world, range.from);
  await isSound(origin, token);

  // What follows another job follows no run of yesterday.
  await addJob({ name: 'send-invoices', command: 'shop invoices send', group: 'shop' });
  await editJob('send-invoices', { after: ['close-day'] });
  await post('jobs/close-day/run', { requestId: 'close-day-now', env: { WELL: '1' } });
  await until('it has followed', async () => (await count(world, followed)) > 0);
  await post('jobs/archive-logs/pause', {});
  await post('jobs/sync-stock/run', { env: { FAIL: '1' } });
  await post('jobs/render-thumbnails/run', { env: { LENGTH: '600' } });
  await until('it runs', async () => (await count(world, "slot WHERE state = 'executing'")) > 0);
  return { origin, token };
}

/** A folder with the programs that the jobs call. */
function makePrograms(scope: Scope): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-pictures-'));
  scope.after(async () => rmSync(folder, { recursive: true }));
  for (const { command } of sampleJobs) {
    const [program = ''] = command.split(' ');
    writeFileSync(path.join(folder, program), sampleProgram, { mode: 0o755 });
  }
  return folder;
}

function instant(hoursAhead: number): string {
  return new Date(Date.now() + hoursAhead * 3_600_000).toISOString();
}

function poster(origin: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return async (place: string, body: object) => {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${origin}/api/v1/${place}`, request);
    assert.ok(answer.ok, await answer.text());
  };
}

async function count({ rows }: StoreWorld, table: string): Promise<number> {
  const [row] = await rows(`SELECT COUNT(*) AS number FROM ${table}`);
  return Number(row?.number);
}

const followed = "run WHERE triggered_by = 'chain'";

function settle(world: StoreWorld): Promise<boolean> {
  return until(
    'nothing runs',
    async () => (await count(world, "slot WHERE state <> 'idle'")) === 0,
  );
}

/** What has run just now is moved to its ticks: a picture of a day shall not take a day. */
async function moveToTicks({ rows }: StoreWorld, from: string): Promise<void> {
  for (const { name, seconds } of sampleJobs) {
    const spread = `scheduled_for + INTERVAL (? * (700 + CRC32(run_id) % 600)) * 1000 MICROSECOND`;
    await rows(
      `UPDATE run JOIN job ON job.job_id = run.job_id AND job.name = ?
       SET started_at = scheduled_for + INTERVAL 40000 MICROSECOND, ended_at = ${spread}`,
      [name, seconds],
    );
  }
  await rows(`UPDATE slot SET ended_at =
    (SELECT MAX(run.ended_at) FROM run WHERE run.job_id = slot.job_id)`);
  // They were made just before, and ran by their schedules since.
  await rows("UPDATE run SET triggered_by = 'schedule'");
  const ofThoseThatRan = '= ? WHERE job_id IN (SELECT job_id FROM run)';
  for (const column of ['job SET created_at', 'job_revision SET in_force_from']) {
    await rows(`UPDATE ${column} ${ofThoseThatRan}`, [from.slice(0, -1)]);
  }
}

/** What the page would say of a history that verify finds wrong is nothing to show. */
async function isSound(origin: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/api/v1/verify`, { headers });
  const { verification } = JSON.parse((await answer.text()).trim().split('\n').at(-1) ?? '');
  assert.deepEqual(verification.findings, []);
}
