import { isDeepStrictEqual } from 'node:util';
import type { OperatorError } from '../../domain/errors/errors.ts';
import { jobFields } from '../../domain/job/fields.ts';
import { shellWord } from '../../domain/text/quoteForShell.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printJobAnswer } from '../connect/printJobAnswer.ts';
import { printAnswer, withOperator } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { eachChange } from '../output/lines/eachChange.ts';
import { printNote } from '../output/print.ts';
import { usageFault } from '../output/reportFault.ts';
import { printTable, type TableOptions } from '../output/table/printTable.ts';
import { printChange, readRest } from './jobActions.ts';

/** `job diff`: one revision against the one in force, two of them, or the last change. */
export async function diffJobAction(
  name: string,
  from: number | undefined,
  to: number | undefined,
  options: ClusterOptions & TableOptions,
): Promise<void> {
  const pair = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const send = (operator: ApiOperator) => operator.diffRevisions(name, pair);
  await printAnswer(options, send, (diff) => {
    const { before, after } = diff.paused;
    const pause = before === after ? [] : [{ field: 'paused', before, after }];
    const changes = [...pause, ...diff.changes.map(named).flatMap(eachChange)];
    if (changes.length === 0) return printNote(sameText(name, diff));
    printTable(
      [
        { heading: 'FIELD', of: ({ field }) => field },
        { heading: `REVISION ${diff.from}`, of: (change) => valueText(change.before), wrapTo: 20 },
        { heading: `REVISION ${diff.to}`, of: (change) => valueText(change.after), wrapTo: 20 },
      ],
      changes,
      options,
    );
  });
}

/** The name of a field for people, by its key. */
const flags: ReadonlyMap<string, string> = new Map(jobFields.map(({ flag, key }) => [key, flag]));

function named<Change extends { readonly field: string }>(change: Change): Change {
  return { ...change, field: flags.get(change.field) ?? change.field };
}

function sameText(name: string, { from, to }: { from: number; to: number }): string {
  return from === to && to === 1
    ? `Revision 1 of ${name} is its only one.`
    : `Revisions ${from} and ${to} of ${name} have the same fields.`;
}

/** A value as a file of jobs has it; what a job does not say has its default. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : `${value}`;
}

/** `job rollback`. */
export async function rollbackJobAction(
  name: string,
  revision: number | undefined,
  options: ClusterOptions,
): Promise<void> {
  if (revision === undefined) throw await withoutRevision(name, options);
  let rests: string | null = null;
  await printJobAnswer(
    name,
    options,
    async (operator) => {
      const done = await operator.rollbackJob(name, revision);
      if (!options.json && done.next === null) rests = await readRest(operator, name);
      return done;
    },
    (changed, job) => {
      const what = `${name} to revision ${revision}, as revision ${changed.revision}`;
      const already = `has the definition of revision ${revision} already`;
      printChange(changed.changed ? what : name, changed, 'Rolled back', already, job);
      if (rests !== null) printNote(rests);
    },
  );
}

/** Which revision may be meant is said only: a pause makes one, too, and takes nothing back. */
async function withoutRevision(name: string, options: ClusterOptions): Promise<OperatorError> {
  const job = shellWord(name);
  const shown = await withOperator(options, (operator) => operator.showJob(name, revisionsMax))
    // Without a job, or a database, its number is missing all the same.
    .catch(() => null);
  const [inForce, ...before] = shown?.revisions ?? [];
  // A rollback leaves it as it is whether the job is observed.
  const takenBack = (revision = inForce) => ({
    ...revision?.definition,
    observed: null,
    format: null,
  });
  const other = before.find((each) => !isDeepStrictEqual(takenBack(each), takenBack()))?.revision;
  const look = `statecron job diff ${job} ${other}`;
  const differs = other && `Revision ${other} is the last with another definition: ${look}. `;
  return usageFault(
    'job rollback: no revision is given, so nothing is changed.',
    `${differs ?? ''}See all revisions: statecron job show ${job}`,
  );
}

/** As many as are read at once. */
const revisionsMax = 100;
