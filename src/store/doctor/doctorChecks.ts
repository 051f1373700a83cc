import { definitionFormat, whyNotUnderstood } from '../../domain/job/edit/definitionFormat.ts';
import { mailHint } from '../../domain/notifications/mailHint.ts';
import { isInOrder, sessionEnds } from '../../domain/reasons/sessionEnd.ts';
import { sessionLockId } from '../../domain/run/stripes.ts';
import { readScheduleSet } from '../../domain/schedule/read/readScheduleSet.ts';
import { counted } from '../../domain/text/counted.ts';
import { listed } from '../../domain/text/listed.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import { allWarnings, type ClusterShown, readCluster } from '../cluster/clusterView.ts';
import type { Channel } from '../connection/channel.ts';
import type { DatabaseAddress } from '../connection/databaseAddress.ts';
import { migrateHint } from '../connection/grantStatement.ts';
import { listJobs } from '../jobs/listJobs.ts';
import { listNotificationTargets } from '../notifications/delivery/listNotifications.ts';
import { integer, only } from '../rows/row.ts';
import { compareSchema, mayUseSchema } from '../schema/migrate.ts';
import { isUnfit, requireEngine } from '../schema/requireEngine.ts';
import { readMarker, restoredFault } from '../schema/restoreMarker.ts';
import { type Check, checkOf } from './doctorCheck.ts';
import { checkGrants } from './doctorGrants.ts';
import { checkClock, checkServer } from './doctorServer.ts';
import { checkUsers } from './doctorUsers.ts';

/** Checks the database: the server, the schema, the rights, the locks, the jobs and the nodes. */
export async function checkDatabase(
  channel: Channel,
  address: DatabaseAddress,
  options: { readonly isFixing: boolean; readonly isLocal: boolean; readonly version: string },
): Promise<Check[]> {
  const server = [...(await checkServer(channel, options.isLocal)), await checkClock(channel)];
  const schema = await checkSchema(channel, options.version);
  const isWritable = server.every(({ check, status }) => check !== 'writable' || status === 'ok');
  if (schema.status === 'fail' || !isWritable) return [...server, schema];
  const grants = await checkGrants(channel, options.isLocal);
  const mayProbe = grants.every(({ status }) => status !== 'fail');
  return [
    ...server,
    schema,
    ...(await checkRestored(channel)),
    ...grants,
    ...(mayProbe ? [await checkEngine(channel, address)] : []),
    await checkLockRows(channel, options.isFixing),
    await checkSchedules(channel),
    ...(await checkUsers(channel)),
    ...(await checkNodes(channel)),
    ...(await checkMail(channel)),
  ];
}

async function checkSchema(channel: Channel, version: string): Promise<Check> {
  const check = 'schema';
  try {
    const { missing, unknown } = await compareSchema(channel);
    if (missing.length > 0) {
      const message = `migrations are missing: ${missing.join(', ')}`;
      return checkOf(check, false, message, migrateHint);
    }
    if (unknown.length === 0) return checkOf(check, true, 'it is this version’s', null);
    const isUsable = await mayUseSchema(channel, version);
    const which = isUsable ? 'this version, which may use it' : 'this version';
    const message = `it is newer than ${which}: ${unknown.join(', ')}`;
    return checkOf(check, isUsable, message, 'Install the version that the nodes run.');
  } catch (error) {
    if ((error as { errno?: number }).errno !== noSuchTable) throw error;
    return checkOf(check, false, 'the database was never migrated', migrateHint);
  }
}

const noSuchTable = 1146;

/** Whether the database does what nodes rely on, whatever it calls itself. */
async function checkEngine(channel: Channel, address: DatabaseAddress): Promise<Check> {
  const check = 'engine';
  try {
    await requireEngine(channel, address);
    return checkOf(check, true, 'locks and reads do what nodes rely on', null);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    return checkOf(check, false, error.message, error.hint);
  }
}

/** Nothing, unless the database is a copy that no node joins. */
async function checkRestored(channel: Channel): Promise<Check[]> {
  const marker = await readMarker(channel);
  if (marker === null) return [];
  const { message, hint } = restoredFault(marker);
  return [checkOf('restored copy', false, message, hint)];
}

/** Nothing is scheduled on a stripe whose lock row is missing. */
async function checkLockRows(channel: Channel, isFixing: boolean): Promise<Check> {
  const check = 'lock rows';
  const there = new Set(await channel.rows(only(integer), selectLockRows));
  const wanted = Array.from({ length: sessionLockId + 1 }, (_, lockId) => lockId);
  const missing = wanted.filter((lockId) => !there.has(lockId));
  if (missing.length === 0)
    return checkOf(
      check,
      true,
      `all ${wanted.length} rows that nodes lock are in the table lock_row`,
      null,
    );
  const message = `missing from the table lock_row: ${missing.join(', ')}`;
  if (!isFixing) return checkOf(check, false, message, 'Run: statecron doctor --fix');
  await channel.change(insertLockRows, [missing.map((lockId) => [lockId])]);
  return checkOf(check, false, `${message}; restored`, 'Nodes go on by themselves.', 'warn');
}

/** What a version does not understand whole it leaves to others. */
async function checkSchedules(channel: Channel): Promise<Check> {
  const [bad, foreign]: [string[], string[]] = [[], []];
  let jobs = 0;
  for await (const { name, definition } of listJobs(channel, { jobsMax: 1_000_000 })) {
    jobs += 1;
    const reading = readScheduleSet(definition);
    const whyNot = whyNotUnderstood(definition);
    const isNewer = (definition.format ?? 1) > definitionFormat;
    if ('error' in reading && !isNewer) bad.push(`${name} (${reading.error})`);
    else if (whyNot !== null) foreign.push(`${name} (${whyNot})`);
  }
  const check = 'schedules';
  if (bad.length > 0) {
    const hint = 'Write them anew: statecron job edit NAME --cron';
    return checkOf(check, false, `cannot be read: ${listed(bad, namedMax, '; ')}`, hint);
  }
  if (foreign.length > 0) {
    const message = `nodes of this version leave to others: ${listed(foreign, namedMax, '; ')}`;
    return checkOf(check, false, message, 'Run nodes of the version that wrote them.', 'warn');
  }
  return checkOf(
    check,
    true,
    jobs === 1 ? 'that of the one job can be read' : `those of all ${jobs} jobs can be read`,
    null,
  );
}

const namedMax = 5;

async function checkNodes(channel: Channel): Promise<Check[]> {
  const cluster = await readCluster(channel, { endedWithinMs: 3_600_000, sessionsMax: 10_000 });
  const lost = checkLost(cluster);
  const live = cluster.sessions.filter(({ state }) => state === 'live').length;
  const warnings = allWarnings(cluster);
  if (warnings.length === 0) {
    return [checkOf('nodes', true, `${live} live, no warnings`, null), ...lost];
  }
  const disagreeing = warnings.map((message) =>
    checkOf('nodes', false, message, 'See: statecron cluster', 'warn'),
  );
  return [...disagreeing, ...lost];
}

/** A node that is back shows nothing of it in a plain `cluster`. */
function checkLost({ sessions }: ClusterShown): Check[] {
  const lost = sessions.filter(({ state, endedWhy }) => {
    return state === 'ended' && !isInOrder(endedWhy) && endedWhy !== sessionEnds.restored;
  });
  const [last] = lost;
  if (last === undefined) return [];
  const times = lost.length === 1 ? 'once' : `${lost.length} times`;
  const message =
    `in the last hour a node was lost ${times}, ` +
    `most recently node ${last.node} (${last.endedWhy ?? 'nobody noted why'})`;
  return [checkOf('lost nodes', false, message, 'See: statecron cluster --ended 1h', 'warn')];
}

/** Which nodes have a mail server they alone know: that one has is known once it tried a mail. */
async function checkMail(channel: Channel): Promise<Check[]> {
  const mail = (await listNotificationTargets(channel)).filter(({ kind }) => kind === 'mail');
  const [first] = mail;
  const isTried = mail.some(({ lastError, lastSentMs }) => (lastError ?? lastSentMs) !== null);
  if (first === undefined || isTried) return [];
  const waiting = mail.reduce((sum, each) => sum + each.waiting, 0);
  const wait = counted(waiting, 'notification waits', 'notifications wait');
  const message = `no node has sent a mail yet${waiting === 0 ? '' : `, and ${wait}`}`;
  const hint = `${mailHint}. Try it: statecron notify test ${shellWord(first.name)}`;
  return [checkOf('mail', false, message, hint, 'warn')];
}

const selectLockRows = '/* checkLockRows */ SELECT lock_id FROM lock_row';
const insertLockRows = '/* checkLockRows fix */ INSERT IGNORE INTO lock_row (lock_id) VALUES ?';
