import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { reasons } from '../../../src/domain/reasons/reasons.ts';
import { forgetNode } from '../../../src/store/cluster/forgetNode.ts';
import { editJob } from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { CutProxy } from '../../support/cutProxy.ts';
import { until } from '../../support/until.ts';
import { type NodeProcess, spoolRootOf } from '../nodeProcess.ts';
import { type ReasonWorld, withinMs, yearly } from './reasonWorld.ts';

/** As much as a job may keep; so many are one more than a node holds while the database is away. */
export const loudOutput = 8 * 2 ** 20;
const loudRuns = 33;
const onNode = ['gone'];

/** What the node `gone` is lost with, and before that a start whose answer it never hears. */
export async function startOnGone(world: ReasonWorld, proxy: CutProxy): Promise<void> {
  const { channel } = world;
  await world.main('unanswered', { onNode, cron: yearly });
  // It is the first start of the node. Its COMMIT is cut, and no other one before it.
  const starting = proxy.holdAt('/* startSlots */');
  await world.due('unanswered', 3);
  const letGo = await starting;
  const wasCut = proxy.cutAt('/* commitBatch commit */', 'reply lost');
  letGo();
  await wasCut;
  await world.main('lost', { onNode, command: world.gated('lost') });
  await world.main('finishes', { onNode, command: world.gated('finishes'), onFence: 'finish' });
  const command = `${world.gated('loud')}; head -c ${loudOutput} /dev/zero`;
  await world.main('loud', { onNode, command, parallel: loudRuns, outputMax: loudOutput });
  await world.executes('lost');
  await world.executes('finishes');
  await runJob(channel, 'lost', 'waits for gone', { wantedNode: 'gone' });
  // `gone` comes back; this one does not.
  await world.rows("UPDATE launch_request SET wanted_node = 'ghost'");
  const options = { ignoresOverlap: true };
  for (let run = 0; run < loudRuns; run += 1) await runJob(channel, 'loud', `loud ${run}`, options);
  await world.executing('loud', loudRuns);
  await world.says('unanswered', reasons.notStarted);
}

/** The node is killed while the database is away, with all that it has not handed over. */
export async function killGone(
  world: ReasonWorld,
  proxy: CutProxy,
  gone: NodeProcess,
): Promise<void> {
  const { pid } = await gone.session();
  const comeBack = proxy.goAway();
  world.open('loud');
  await until('an output was dropped', () => spooled(world).some(saysDropped), withinMs);
  gone.guardian.kill('SIGKILL'); // it would start another node
  await gone.exited();
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has seen the end of its guardian.
  }
  // A quarter of a gigabyte need not come into the database.
  for (const file of spooled(world)) if (sizeOf(file) >= loudOutput) rmSync(file, { force: true });
  comeBack();
  world.open('finishes');
  await world.rows("UPDATE session SET ttl_ms = 1 WHERE node_name = 'gone'");
  const isReaped = async () => (await world.rows(selectReaped)).length === 1;
  await until('it is reaped', isReaped, withinMs);
  for (const name of ['meant', 'forgotten']) await world.due(name, -30);
  await editJob(world.channel, 'meant', (job) => ({ ...job, target: { nodes: ['main'] } }));
  await forgetNode(world.channel, 'gone');
}

/** The results that wait for a node. */
function spooled(world: ReasonWorld): string[] {
  const root = spoolRootOf(world);
  try {
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.result')).map((name) => join(root, name));
  } catch {
    return []; // there is no folder yet
  }
}

function saysDropped(file: string): boolean {
  if (sizeOf(file) >= loudOutput) return false;
  try {
    return readFileSync(file, 'utf8').includes('was dropped');
  } catch {
    return false; // it was acknowledged meanwhile
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
}

const selectReaped = `SELECT 1 FROM session
  WHERE node_name = 'gone' AND reaped_at IS NOT NULL`;
