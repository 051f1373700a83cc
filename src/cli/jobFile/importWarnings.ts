import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { counted } from '../../domain/text/counted.ts';
import { listed } from '../../domain/text/listed.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { placeWarnings } from '../jobs/placeWarnings.ts';
import { warnOfUnknownUsers } from '../jobs/startsAsUser.ts';
import type { GoneJobs, ImportPlan, Numbered } from './importPlan.ts';

interface Found {
  readonly gone: readonly GoneJobs[];
  readonly twice: readonly string[];
  readonly numbered: readonly Numbered[];
}

/** What is true of several of the jobs: each is said once. `jobs`: those that are new. */
export async function importWarnings(
  operator: ApiOperator | null,
  jobs: readonly JobDefinition[],
  { gone, numbered, twice }: Found,
  plan: ImportPlan,
): Promise<string[]> {
  return [
    ...(jobs.length === 0 ? [] : await warnOfNew(operator, jobs, plan)),
    ...warnOfNumbered(numbered),
    ...warnOfTwice(twice, plan),
    ...gone.map((each) => warnOfGone(each, plan)),
  ];
}

/** Of new jobs, how to choose their names: while they are not there. */
export function howNamed(guessed: number): string | null {
  if (guessed === 0) return null;
  const are = counted(
    guessed,
    'job is named after what it starts',
    'jobs are named after what they start',
  );
  return (
    `${are}. To choose a name, write it as a comment right above the line before the import: a ` +
    'job keeps its name'
  );
}

async function warnOfNew(
  operator: ApiOperator | null,
  jobs: readonly JobDefinition[],
  plan: ImportPlan,
): Promise<string[]> {
  return [
    ...warnOfUsers(jobs, plan),
    ...warnOfShell(jobs),
    ...(plan.onNode === undefined ? warnOfAnyNode(jobs.length, plan) : []),
    ...(operator === null ? [] : await placeWarnings(operator, jobs)),
  ];
}

/** Other jobs have their names. */
function warnOfNumbered(numbered: readonly Numbered[]): string[] {
  if (numbered.length === 0) return [];
  const have = counted(numbered.length, 'line has', 'lines have');
  const names = numbered.map(({ name, other }) => {
    const whose = other.user === undefined ? 'has no user' : `is a job of ${other.user}`;
    return `${name} (${other.name} ${whose})`;
  });
  return [
    `${have} the name of a job with another user, group, node or program, and so the next free ` +
      `name: ${listed(names, namesShown)}. Each job runs by itself; remove those that are not ` +
      'wanted with: statecron job remove NAME',
  ];
}

/** Under another prefix, or below another comment. */
function warnOfTwice(names: readonly string[], plan: ImportPlan): string[] {
  if (names.length === 0) return [];
  const have = counted(names.length, 'job has', 'jobs have');
  return [
    `${have} the command, schedule and user of a line here, under another name that an import ` +
      `from ${plan.origin} gave: ${listed(names, namesShown)}. Each job runs by itself; remove ` +
      'those that are not wanted with: statecron job remove NAME',
  ];
}

/** They may be another user's, so import removes nothing. */
function warnOfGone({ names, origin }: GoneJobs, plan: ImportPlan): string {
  const shown = listed(names, namesShown);
  const remove = 'remove each with: statecron job remove NAME';
  if (origin !== plan.origin) {
    const jobs = counted(names.length, 'job that came', 'jobs that came');
    const have = names.length === 1 ? 'has' : 'have';
    return (
      `${jobs} from ${origin}, as others here did, ${have} no line here: ${shown}. ` +
      `Where this takes its place, ${remove}`
    );
  }
  const were = counted(names.length, 'job was', 'jobs were');
  return (
    `${were} imported from ${origin} before, with no line now: ` +
    `${shown}. Import changes nothing of that; ${remove}`
  );
}

const namesShown = 5;

function warnOfAnyNode(jobs: number, { observe }: ImportPlan): string[] {
  const may = observe ? 'after go-live each may run' : 'each runs';
  return [
    `${counted(jobs, 'job names', 'jobs name')} no node: ${may} on any machine of the cluster. ` +
      'Give --on-node NAME to keep them on one.',
  ];
}

function warnOfUsers(jobs: readonly JobDefinition[], { users }: ImportPlan): string[] {
  const withoutUser = jobs.filter(({ user }) => user === undefined).length;
  return [
    withoutUser > 0 &&
      `${counted(withoutUser, 'job names', 'jobs name')} no user: each runs as the user that its ` +
        'node runs as. Give --user NAME to say whose crontab it is.',
    warnOfUnknownUsers(jobs, users),
  ].filter((warning) => typeof warning === 'string');
}

function warnOfShell(jobs: readonly JobDefinition[]): string[] {
  const count = jobs.filter(({ env }) => env.SHELL === undefined).length;
  if (count === 0) return [];
  const have = counted(count, 'job has', 'jobs have');
  return [`${have} no SHELL line above: bash runs the command, where cron takes /bin/sh.`];
}
