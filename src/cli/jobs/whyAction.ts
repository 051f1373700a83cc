import { withoutNote } from '../../domain/reasons/reasons.ts';
import { counted } from '../../domain/text/counted.ts';
import type { RunView } from '../../http/contract/runContract.ts';
import type { WhyView } from '../../http/views/whyView.ts';
import { withOperator } from '../connect/withOperator.ts';
import { muteLines } from '../notifications/muteActions.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { databaseFlags } from '../options/givenDatabase.ts';
import { formatAway, formatInstant, withLocalInstants } from '../output/formatInstant.ts';
import { printFields } from '../output/lines/printFields.ts';
import { printJson, printLine, printNote } from '../output/print.ts';
import { forDatabase } from '../output/reportFault.ts';
import { commandOf } from '../output/runName.ts';
import { type Cell, stateCell } from '../output/table/cells.ts';
import { type Column, printTable, type TableOptions } from '../output/table/printTable.ts';

/** `job why`. */
export async function whyJobAction(name: string, options: WhyOptions): Promise<void> {
  await withOperator(options, async (operator) => {
    const why = await operator.whyJob(name);
    if (options.json) return printJson(why);
    const id = why.last?.launchId ?? null;
    // Its row may be gone meanwhile.
    const run = id === null ? null : await operator.showRun(id).catch(() => null);
    printWhy(why, run, options);
  });
}

type WhyOptions = ClusterOptions & TableOptions & { readonly all?: boolean };

type Check = WhyView['checks'][number];

function printWhy(why: WhyView, run: RunView | null, options: WhyOptions): void {
  const { because, checks, nodes, nodesLeftOut, timezone } = why;
  const local = (text: string): string => withLocalInstants(text, timezone);
  const hint = checks.find(({ check }) => check === because)?.hint ?? '';
  const others = checks.filter(({ check, state }) => state === 'failed' && check !== because);
  const more = counted(others.length, 'more thing keeps', 'more things keep');
  printFields(
    [
      ['job', why.job],
      ['state', why.state.replace('_', ' ')],
      ['why', local(why.text)],
      ['do', forDatabase(hint, databaseFlags(options)) || null],
      ['then', hint && others.length > 0 ? `${more} it from running, below` : null],
      ...nextLines(why),
      ['last', lastText(why, run)],
      // A node of an earlier release does not say what is muted.
      ...muteLines(why.mutes ?? [], timezone),
      ['see', run === null ? null : commandOf(run)],
    ],
    ['why', 'last'],
  );
  const shown = options.all ? checks : checks.filter(({ state }) => state !== 'passed');
  if (shown.length > 0) {
    printLine('');
    printTable(checkColumns(local), shown, options);
  }
  const passed = checks.length - shown.length;
  if (passed > 0) printNote(`Not shown: checks that passed (${passed}), and the nodes; see --all.`);
  if (nodes.length === 0 || !options.all) return;
  printLine('');
  printTable(nodeColumns(), nodes, options);
  if (nodesLeftOut > 0)
    printNote(`Only ${nodes.length} nodes are shown, of ${nodes.length + nodesLeftOut}.`);
}

function checkColumns(local: (text: string) => string): Column<Check>[] {
  return [
    { heading: 'STATE', of: checkCell },
    { heading: 'CHECK', of: ({ check }) => check },
    { heading: 'WHAT', of: ({ text }) => local(text), wrapTo: 30 },
  ];
}

/** What somebody has chosen has not failed. */
const chosen: ReadonlySet<Check['check']> = new Set(['paused', 'observed']);

function checkCell({ check, state }: Check): Cell {
  if (state === 'failed' && chosen.has(check)) return { texts: ['keeps it'], colour: 'yellow' };
  return state === 'unknown' ? { texts: ['not known'], colour: 'yellow' } : stateCell(state);
}

function nodeColumns(): Column<WhyView['nodes'][number]>[] {
  return [
    { heading: 'NODE', of: ({ node }) => node },
    { heading: 'LEVEL', of: ({ level }) => `${level ?? '-'}`, rank: 1 },
    { heading: 'MAY RUN IT', of: ({ may }) => (may ? 'yes' : 'no') },
    {
      heading: 'WHAT KEEPS IT',
      of: ({ keptBy }) => keptBy.map(({ text }) => text).join('; ') || '-',
      wrapTo: 30,
    },
  ];
}

/** The next ticks in the job's zone, a line each, and how far away the first is. */
function nextLines({ checks, next, now, timezone }: WhyView): [string, string][] {
  if (next.length === 0) return [['next', '-']];
  const isObserved = checks.some(({ check, state }) => check === 'observed' && state === 'failed');
  const what = isObserved ? ', to be recorded, not started' : '';
  return next.map(({ startsAt }, index) => {
    const away = index === 0 ? ` (${formatAway(startsAt, Date.parse(now))}${what})` : '';
    return ['next', `${formatInstant(startsAt, timezone)}${away}`];
  });
}

function lastText({ last, now, timezone }: WhyView, run: RunView | null): string {
  if (last === null) return 'nothing yet';
  const { endedAt, node, reason, result, scheduledFor } = last;
  const where = node === null ? '' : ` on ${node}`;
  const ended = `ended ${formatAway(endedAt, Date.parse(now))}`;
  const code = run?.signal ?? (run?.exitCode ? `exit ${run.exitCode}` : null);
  const why = withoutNote(reason);
  // What ended a run that did not fail by itself is in its reason.
  const own = result === 'failed' || why === null ? code : null;
  const how = [own, why].filter((each) => typeof each === 'string').join('. ');
  const said = how === '' ? '' : `: ${withLocalInstants(how, timezone)}`;
  return `${result}${where} (${formatInstant(scheduledFor, timezone)}, ${ended})${said}`;
}
