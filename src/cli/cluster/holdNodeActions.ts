import { setTimeout as sleep } from 'node:timers/promises';
import { exitCodes, OperatorError } from '../../domain/errors/errors.ts';
import { formatDuration } from '../../domain/time/duration.ts';
import type { HeldNodeView } from '../../http/contract/clusterContract.ts';
import type { ApiOperator } from '../../http/views/apiOperator.ts';
import { printAnswer } from '../connect/withOperator.ts';
import type { ClusterOptions } from '../options/clusterOptions.ts';
import { formatAway } from '../output/formatInstant.ts';
import { printLine, printNote } from '../output/print.ts';
import { ProgressLine } from '../output/progressLine.ts';

interface NoteOptions extends ClusterOptions {
  readonly note?: string;
}

interface DrainOptions extends NoteOptions {
  readonly wait: boolean;
  readonly waitTimeout?: number;
}

/** `node cordon`. */
export async function cordonNodeAction(node: string, options: NoteOptions): Promise<void> {
  const send = (operator: ApiOperator) => operator.cordonNode(node, noteOf(options));
  await printAnswer(options, send, (held) => {
    printLine(`${cordonText(held)} ${holdsText(held)}`);
  });
}

/** `node uncordon`. */
export async function uncordonNodeAction(node: string, options: ClusterOptions): Promise<void> {
  await printAnswer(
    options,
    (operator) => operator.uncordonNode(node),
    ({ changed, isLive }) => {
      const away = isLive ? '' : ' It is not live.';
      printLine(changed ? `${node} takes work again.${away}` : `${node} was not cordoned.${away}`);
    },
  );
}

/** `node drain`. */
export async function drainNodeAction(node: string, options: DrainOptions): Promise<void> {
  const send = async (operator: ApiOperator): Promise<HeldNodeView> => {
    const held = await operator.drainNode(node, noteOf(options));
    if (!options.wait) return held;
    printNote(`${cordonText(held)} ${holdsText(held)}`);
    return waitUntilIdle(operator, held, options.waitTimeout ?? Number.POSITIVE_INFINITY);
  };
  await printAnswer(options, send, (held) => {
    if (!options.wait) return printLine(`${cordonText(held)} ${holdsText(held)}`);
    printLine(held.isLive ? `${node} executes nothing.` : `${node} is not live any more.`);
  });
}

const lookMs = 1_000;

/**
 * Looks once a second until the node holds nothing, or is gone. A launch that it was just claiming
 * when it was cordoned is given back, too.
 * @throws OperatorError (75) when the time is over, or somebody uncordons it meanwhile
 */
async function waitUntilIdle(
  operator: ApiOperator,
  first: HeldNodeView,
  timeoutMs: number,
): Promise<HeldNodeView> {
  const { node } = first;
  const line = new ProgressLine();
  const untilMs = performance.now() + timeoutMs;
  let held = first;
  try {
    while (held.isLive && held.prepared + held.executing > 0) {
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) throw stillBusy(held, timeoutMs);
      await sleep(Math.min(lookMs, leftMs));
      held = await look(operator, held);
      line.show(() => `${node}: ${runsText(held)}`);
    }
    return held;
  } finally {
    line.end();
  }
}

async function look(operator: ApiOperator, before: HeldNodeView): Promise<HeldNodeView> {
  const { node } = before;
  const { sessions } = await operator.readCluster({ endedWithinMs: 0, sessionsMax: 1_000 });
  const session = sessions.find((each) => each.node === node && each.state === 'live');
  if (session === undefined) return { ...before, isLive: false, prepared: 0, executing: 0 };
  const { cordon, executing, prepared } = session;
  if (!cordon) throw uncordoned(node);
  if (prepared === 0) return { ...before, prepared, executing };
  const { withdrawn, ...held } = await operator.drainNode(node);
  return { ...held, changed: before.changed, withdrawn: before.withdrawn + withdrawn };
}

function noteOf({ note }: NoteOptions): string | null {
  return note ?? null;
}

function cordonText({ changed, cordon, node }: HeldNodeView): string {
  const note = cordon === null || cordon.note === '' ? '' : ` (${cordon.note})`;
  if (changed || cordon === null) return `${node} takes no new work${note}.`;
  const by = cordon.by === '' ? '' : `, by ${cordon.by}`;
  return `${node} was cordoned already, ${formatAway(cordon.since)}${by}${note}.`;
}

function holdsText(held: HeldNodeView): string {
  if (!held.isLive) return 'It is not live; that holds when it comes back.';
  const { prepared, withdrawn } = held;
  const given = withdrawn === 0 ? '' : ` ${launches(withdrawn)} given back.`;
  const waiting = prepared === 0 ? '' : ` and holds ${launches(prepared)} for later`;
  return `It ${runsText(held)}${waiting}.${given}`;
}

function runsText({ executing }: HeldNodeView): string {
  return `executes ${executing === 1 ? '1 run' : `${executing} runs`}`;
}

function launches(count: number): string {
  return count === 1 ? '1 prepared launch' : `${count} prepared launches`;
}

function stillBusy({ executing, node }: HeldNodeView, timeoutMs: number): OperatorError {
  const runs = executing === 1 ? '1 run' : `${executing} runs`;
  return new OperatorError({
    code: 'node_busy',
    message: `${node} executes ${runs} after ${formatDuration(timeoutMs)}; it stays cordoned.`,
    hint: `See: statecron runs --running --node ${node}. Wait on: statecron node drain ${node}`,
    exitCode: exitCodes.tryAgain,
  });
}

function uncordoned(node: string): OperatorError {
  return new OperatorError({
    code: 'node_uncordoned',
    message: `${node} was uncordoned meanwhile: it takes work again.`,
    hint: 'See by whom: statecron audit --since 1d',
    exitCode: exitCodes.tryAgain,
  });
}
