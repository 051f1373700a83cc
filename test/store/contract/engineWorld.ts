import type { OperatorError } from '../../../src/domain/errors/errors.ts';
import { withLowestFormat } from '../../../src/domain/job/edit/definitionFormat.ts';
import { jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type { SlotState } from '../../../src/domain/run/arrows.ts';
import { forgetNode } from '../../../src/store/cluster/forgetNode.ts';
import { cordonNode, drainNode, uncordonNode } from '../../../src/store/cluster/holdNode.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { changeGroup } from '../../../src/store/groups/changeGroup.ts';
import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import {
  editJob,
  type JobChanged,
  pauseJob,
  removeJob,
  resumeJob,
} from '../../../src/store/jobs/changes/changeJob.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import { stopRun } from '../../../src/store/requests/stopRun.ts';
import { requestLive } from '../../../src/store/runs/liveOutput.ts';
import { holdStripes } from '../../actors/holdStripes.ts';
import type { Scope } from '../../support/createDatabase.ts';
import type { Engine } from '../../support/startTestServer.ts';
import { makeReusedWorld, type StoreWorld } from '../../support/storeWorld.ts';
import type { ContractRun, ContractSlot, ContractWorld } from './contractWorld.ts';

/** The store on a real server. */
export async function makeEngineWorld(scope: Scope, engine: Engine): Promise<ContractWorld> {
  const world = await makeReusedWorld(scope, engine);
  const { channel, rows } = world;
  return {
    addJob: world.addJob,
    join: world.join,
    change: async (kind, name, schedule) => {
      const changes = {
        edit: () =>
          editJob(channel, name, (old) => ({ ...old, schedule: schedule ?? old.schedule })),
        pause: () => pauseJob(channel, name),
        resume: () => resumeJob(channel, name),
        remove: () => removeJob(channel, name),
      } satisfies Record<typeof kind, () => Promise<JobChanged>>;
      return (await changes[kind]()).revision;
    },
    ...placers(world),
    pauseFor: (name, forMs) => pauseJob(channel, name, { forMs }),
    run: async (name, requestId) => (await runJob(channel, name, requestId)).isNew,
    stop: async (launchId) => {
      const answer = await stopRun(channel, launchId);
      if (answer === 'ended') throw new Error(`${launchId} has ended`);
      return answer;
    },
    hold: (stripes) => holdStripes({ url: world.url, scope }, stripes),
    age: async (name, seconds) => {
      const back = (column: string) => `${column} = ${column} - INTERVAL ? SECOND`;
      const columns = ['slot.scheduled_for', 'slot.cursor_at', 'slot.started_at', 'next_run_at'];
      await rows(
        `UPDATE slot JOIN job USING (job_id) SET ${columns.map(back).join(', ')}
         WHERE job.name = ?`,
        [...columns.map(() => seconds), name],
      );
    },
    ageSession: async (sessionId, seconds) => {
      await rows(
        'UPDATE session SET renewed_at = NOW(3) - INTERVAL ? SECOND WHERE session_id = ?',
        [seconds, sessionId],
      );
    },
    ageHistory: async (seconds) => {
      await rows('UPDATE run SET ended_at = ended_at - INTERVAL ? SECOND', [seconds]);
    },
    followLive: async (launchId, secondsAgo) => {
      await requestLive(channel, launchId);
      const age = 'UPDATE run_live SET asked_at = NOW(3) - INTERVAL ? SECOND WHERE launch_id = ?';
      await rows(age, [secondsAgo, launchId]);
    },
    live: async (launchId) => {
      const [row] = await rows('SELECT * FROM run_live WHERE launch_id = ?', [launchId]);
      if (row === undefined) return null;
      const text = row.output === null ? null : String(row.output);
      return { text, outputBytes: Number(row.output_bytes) };
    },
    historyFrom: async (name) => {
      const [row] = await rows('SELECT history_from FROM job WHERE name = ?', [name]);
      return instant(row?.history_from);
    },
    ...readers(world),
  };
}

function placers({
  channel,
  rows,
}: StoreWorld): Pick<
  ContractWorld,
  'place' | 'editFields' | 'group' | 'limit' | 'forget' | 'holdNode' | 'nodeSlots'
> {
  return {
    place: async (name, fields, dueInMs = 0) => {
      const base = { ...jobDefaults, name, schedule: '* * * * * *', command: 'true' };
      const { jobId } = await addJob(channel, withLowestFormat({ ...base, ...fields }));
      const dayAgo = 'NOW(3) - INTERVAL 1 DAY';
      await rows(`UPDATE job_revision SET in_force_from = ${dayAgo} WHERE job_id = ?`, [jobId]);
      await rows(
        `UPDATE slot SET created_at = ${dayAgo}, cursor_at = CAST(DATE_FORMAT(
           NOW(3) + INTERVAL ? MICROSECOND, '%Y-%m-%d %H:%i:%s') AS DATETIME(3)),
           next_run_at = cursor_at WHERE job_id = ?`,
        [dueInMs * 1000, jobId],
      );
    },
    editFields: (name, fields) =>
      editJob(channel, name, (old) => withLowestFormat({ ...old, ...fields })),
    group: async (group, members) => (await changeGroup(channel, group, () => members)).withdrawn,
    limit: (group, concurrencyMax) => changeLimit(channel, group, concurrencyMax),
    forget: async (nodeName) => {
      try {
        return (await forgetNode(channel, nodeName)).slots;
      } catch (error) {
        return (error as OperatorError).code;
      }
    },
    holdNode: async (how, nodeName) => {
      const holds = { cordon: cordonNode, drain: drainNode, uncordon: uncordonNode };
      return (await holds[how](channel, nodeName)).withdrawn;
    },
    nodeSlots: async (name) => {
      const found = await rows(
        `SELECT node_name, state FROM slot JOIN job USING (job_id) WHERE name = ?
         ORDER BY node_name`,
        [name],
      );
      return found.map((row) => `${row.node_name} ${row.state}`);
    },
  };
}

function readers({ rows }: StoreWorld): Pick<ContractWorld, 'slot' | 'runs' | 'pending'> {
  return {
    slot: async (name) => {
      const found = await rows('SELECT slot.* FROM slot JOIN job USING (job_id) WHERE name = ?', [
        name,
      ]);
      const [slot] = found;
      if (slot === undefined || found.length > 1) throw new Error(`${name} has not one slot`);
      return slotOf(slot);
    },
    runs: async (name) => {
      const found = await rows(
        'SELECT run.* FROM run JOIN job USING (job_id) WHERE name = ? ORDER BY run_id',
        [name],
      );
      return found.map(runOf);
    },
    pending: async (name) => {
      const found = await rows(
        'SELECT request_id FROM pending JOIN job USING (job_id) WHERE name = ? ORDER BY pending_id',
        [name],
      );
      return found.map((row) => row.request_id as string);
    },
  };
}

function slotOf(row: Row): ContractSlot {
  return {
    state: row.state as SlotState,
    launchId: row.launch_id as string | null,
    sessionId: row.session_id as string | null,
    revision: row.revision as number | null,
    nextRunMs: instant(row.next_run_at),
    cursorMs: instant(row.cursor_at),
  };
}

function runOf(row: Row): ContractRun {
  return {
    launchId: row.launch_id as string | null,
    trigger: row.triggered_by as string,
    requestId: row.request_id as string | null,
    revision: row.revision as number,
    isFinal: row.is_final === 1,
    scheduledForMs: instant(row.scheduled_for) ?? Number.NaN,
    scheduledUntilMs: instant(row.scheduled_until),
    ticks: row.ticks as number,
    startedMs: instant(row.started_at),
    endedMs: instant(row.ended_at) ?? Number.NaN,
    result: row.result as string,
    exitCode: row.exit_code as number | null,
  };
}

function instant(value: Date | null): number | null {
  return value?.getTime() ?? null;
}
