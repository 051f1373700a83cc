import { jobDefaults } from '../../src/domain/job/jobDefinition.ts';
import { observedFormat } from '../../src/domain/targeting/takeable.ts';
import { addJob } from '../../src/store/jobs/changes/addJob.ts';
import { lastFailure } from '../../src/store/slots/lastFailure.ts';
import type { StoreWorld } from './storeWorld.ts';

const groups = 20;
const batch = 1_000;
const runsAtOnce = 20;
/** Of all observed jobs. */
const observedGroup = 7;

/**
 * So many jobs of 20 groups, a thousandth of them with ticks of every minute, the others of every
 * day, due within it; one in ten is paused; one in a thousand executes, another is observed. One in
 * ten has a history of 20 runs, unless told otherwise, the last of which has failed in one of ten.
 * One node is live, for an hour. The history has been cleaned: the jobs' rows say how their last
 * runs ended.
 */
export async function addManyJobs(
  world: Pick<StoreWorld, 'channel' | 'rows'>,
  jobs: number,
  runsOfEach = runsAtOnce,
): Promise<void> {
  for (let group = 0; group < groups; group += 1) {
    const plain = { name: `first-of-${group}`, group: `group-${group}`, schedule: '@yearly' };
    const definition = { ...jobDefaults, ...plain, command: 'true' };
    await addJob(world.channel, { ...definition, format: 3 });
    if (group !== observedGroup) continue;
    const observed = { name: 'first-observed', observed: true, format: observedFormat };
    await addJob(world.channel, { ...definition, ...observed });
  }
  await world.rows('CREATE TABLE digit (d INT)');
  await world.rows('INSERT INTO digit VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)');
  for (let from = 0; from < jobs; from += batch) {
    await world.rows(insertJobs, [from, batch, Math.min(batch, jobs - from)]);
  }
  await world.rows(insertRevisions);
  for (let ago = runsOfEach - runsAtOnce; ago >= 0; ago -= runsAtOnce) {
    await world.rows(insertRuns, [ago]);
  }
  // Last, since they are due by the clock, and many runs take long.
  for (const sql of [insertSession, insertSlots]) await world.rows(sql);
  await world.rows(`UPDATE job SET last_failure = ${lastFailure}`);
  await world.rows('DROP TABLE digit');
  // So many at once reserve numbers that no row gets; a stream of events would wait for them.
  await world.rows('ALTER TABLE run AUTO_INCREMENT = 1');
  await world.rows('ANALYZE TABLE job, job_revision, slot, run, target');
}

const numbers = '(a.d * 100 + b.d * 10 + c.d)';
const isObserved = `n % 1000 = ${500 + observedGroup}`;
const insertJobs = `INSERT INTO job (name, revision, created_at, paused, target_id)
  SELECT CONCAT('job-', LPAD(n, 6, '0')), 1, NOW(3), n % 10 = 1,
    (SELECT target_id FROM target WHERE job_group = CONCAT('group-', n % ${groups})
      AND definition_format = IF(${isObserved}, ${observedFormat}, 3))
  FROM (SELECT ? + ${numbers} % ? AS n, ${numbers} AS place
    FROM digit a, digit b, digit c) AS numbers
  WHERE place < ? ORDER BY n`;
const numberOf = "CAST(IF(name LIKE 'job-%', SUBSTRING(name, 5), '0') AS UNSIGNED)";
const insertSession = `INSERT INTO session (session_id, node_name, state, ttl_ms, started_at,
    renewed_at, host, process_id, version, timezone_data, capacity, concurrency,
    definition_format, keeps_failures)
  VALUES ('s1', 'web1', 'live', 3600000, NOW(3), NOW(3), 'h', 1, '1', 'z', 10, 10, 99, 1)`;
const insertRevisions = `INSERT INTO job_revision (job_id, revision, definition, in_force_from,
    paused)
  SELECT job_id, 1, JSON_MERGE_PATCH(JSON_OBJECT('name', name, 'timezone', 'UTC', 'command', 'true',
      'format', 3, 'group', CONCAT('group-', n % ${groups}), 'schedule', IF(n % 1000 = 5,
        '* * * * *', CONCAT(n % 60, ' ', n % 24, ' * * *'))),
      IF(${isObserved}, '{"observed": true, "format": ${observedFormat}}', '{}')),
    '2020-01-01', paused
  FROM (SELECT job.*, ${numberOf} AS n FROM job WHERE name LIKE 'job-%') AS made`;
const insertSlots = `INSERT INTO slot (job_id, stripe, target_id, state, cursor_at, next_run_at,
    ended_at, started_at, triggered_by, scheduled_for)
  SELECT job_id, job_id % 64, target_id, IF(n % 1000 = 2, 'executing', 'idle'), at,
    IF(n % 1000 = 2, NULL, at), NOW(3), IF(n % 1000 = 2, NOW(3), NULL), 'schedule', NOW(3)
  FROM (SELECT made.*, IF(paused, NULL, DATE_FORMAT(NOW() + INTERVAL 1 + IF(n % 1000 = 5, 0,
      n % 1440) MINUTE, '%Y-%m-%d %H:%i:00')) AS at
    FROM (SELECT job.*, ${numberOf} AS n FROM job WHERE name LIKE 'job-%') AS made) AS due`;
const insertRuns = `INSERT INTO run (job_id, revision, triggered_by, attempt, scheduled_for,
    started_at, ended_at, result)
  SELECT job_id, 1, 'schedule', 1, at, at, at + INTERVAL 2 SECOND,
    IF(n % 100 = 10 AND ago = 0, 'failed', 'succeeded')
  FROM (SELECT job_id, n, ago, NOW(3) - INTERVAL 1 MINUTE - INTERVAL ago HOUR
      - INTERVAL n % 3000 SECOND AS at
    FROM (SELECT job_id, ${numberOf} AS n FROM job WHERE name LIKE 'job-%') AS made,
      (SELECT ? + a.d + 10 * b.d AS ago FROM digit a, digit b WHERE b.d < 2) AS hours
    WHERE n % 10 = 0) AS runs ORDER BY at`;
