import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printJobAnswer } from '../connect/printJobAnswer.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { printNote } from '../output/print.ts';
import { printTable, type TableOptions } from '../output/table/printTable.ts';
import { printChange, readPaused, stillPaused } from './jobActions.ts';

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
    const changes = [...pause, ...diff.changes];
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
  revision: number,
  options: ClusterOptions,
): Promise<void> {
  let isPaused = false;
  await printJobAnswer(
    name,
    options,
    async (operator) => {
      const done = await operator.rollbackJob(name, revision);
      if (!options.json && done.next === null) isPaused = await readPaused(operator, name);
      return done;
    },
    (changed, job) => {
      const what = `${name} to revision ${revision}, as revision ${changed.revision}`;
      const already = `has the definition of revision ${revision} already`;
      printChange(changed.changed ? what : name, changed, 'Rolled back', already, job);
      if (isPaused) printNote(stillPaused(name));
    },
  );
}
