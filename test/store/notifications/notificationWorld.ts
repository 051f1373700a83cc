import type { NodeStore } from '../../../src/domain/commit/nodeStore.ts';
import { type JobDefinition, jobDefaults } from '../../../src/domain/job/jobDefinition.ts';
import type {
  NotificationOutcome,
  NotificationStore,
} from '../../../src/domain/notifications/notificationStore.ts';
import {
  minuteDefaults,
  type NotificationTarget,
  targetKinds,
} from '../../../src/domain/notifications/notificationTarget.ts';
import type { Launch } from '../../../src/domain/run/launch.ts';
import type { Row } from '../../../src/store/connection/channel.ts';
import { addJob } from '../../../src/store/jobs/changes/addJob.ts';
import { addNotificationTarget } from '../../../src/store/notifications/targets/changeTarget.ts';
import { runJob } from '../../../src/store/requests/runJob.ts';
import type { StoreWorld } from '../../support/storeWorld.ts';
import type { TestNode } from '../../support/testNode.ts';
import { until } from '../../support/until.ts';

/** Adds a webhook, unless told otherwise, of which nothing is really sent. */
export async function addTarget(
  world: StoreWorld,
  name: string,
  more: Partial<NotificationTarget> = {},
): Promise<NotificationTarget> {
  const kind = more.kind ?? 'webhook';
  const target: NotificationTarget = {
    ...{ name, kind, events: [], longMs: null, minuteMax: minuteDefaults[kind] },
    address: kind === 'mail' ? 'ops@example.com' : 'https://hooks.example.com/',
    secret: kind === 'webhook' ? `whsec_${'A'.repeat(40)}` : null,
    ...more,
  };
  await addNotificationTarget(world.channel, target);
  return target;
}

/** A job that runs when it is asked for, with what it says of who is told. */
export async function addTelling(
  world: StoreWorld,
  name: string,
  notify?: JobDefinition['notify'],
  more: Partial<JobDefinition> = {},
): Promise<void> {
  const plain = { ...jobDefaults, name, schedule: '@manual', command: 'true', ...more };
  await addJob(world.channel, notify === undefined ? plain : { ...plain, notify, format: 4 });
}

/** On a machine that is busy with other things even a claim may have to be asked for again. */
const patienceMs = 120_000;

/** Starts a job and leaves it executing. */
export async function startOne(world: StoreWorld, node: TestNode, name: string): Promise<Launch> {
  await runJob(world.channel, name, `ask-${Math.random()}`);
  const claim = async (): Promise<Launch | undefined> =>
    (await node.claim()).find(({ definition }) => definition.name === name);
  const launch = await until(`${name} is claimed`, claim, patienceMs);
  const isStarted = async (): Promise<boolean> => {
    const verdict = await node.start(launch);
    return typeof verdict === 'object' && verdict.verdict === 'done';
  };
  await until(`${name} is started`, isStarted, patienceMs);
  return launch;
}

export async function runOne(
  world: StoreWorld,
  node: TestNode,
  name: string,
  isGood = true,
): Promise<Launch> {
  const launch = await startOne(world, node, name);
  const result = isGood ? {} : ({ result: 'failed', exitCode: 3 } as const);
  // Refused: it was done before, and its reply was lost.
  const isEnded = async (): Promise<boolean> =>
    typeof (await node.finish(launch, result)) === 'object';
  await until(`${name} has ended`, isEnded, patienceMs);
  return launch;
}

export const outboxOf = (node: TestNode): NotificationStore =>
  node.store as NodeStore as NodeStore & NotificationStore;

/** Takes what is due, as the notifier does, without settling it. */
export async function take(node: TestNode) {
  return (await outboxOf(node).takeNotifications(targetKinds)).batches;
}

/** One round of the notifier; what it sent, as `target:event:job`. */
export async function tellOnce(
  node: TestNode,
  outcome: NotificationOutcome = { sent: true },
): Promise<string[]> {
  const batches = await take(node);
  await outboxOf(node).settleNotifications(
    batches.map(({ target, messages, failures }) => ({
      ...{ target: target.name, failures },
      tried: messages.map((message) => ({ message, outcome })),
    })),
  );
  return batches.flatMap(({ target, messages }) =>
    messages.map(({ event, facts }) => `${target.name}:${event}:${facts.job ?? facts.node ?? ''}`),
  );
}

export function notificationsOf(world: StoreWorld): Promise<Row[]> {
  return world.rows('SELECT * FROM notice ORDER BY notice_id');
}

/** `target:event:state` of every notification, in order. */
export async function statesOf(world: StoreWorld): Promise<string[]> {
  const rows = await notificationsOf(world);
  return rows.map((row) => `${row.target_name}:${row.event}:${row.state}`).sort();
}
