import { readFileSync } from 'node:fs';
import { readProcess } from '../../../src/exec/process/processTree.ts';
import { groupBy } from '../../checkers/groupBy.ts';
import type { Operation } from '../../checkers/history.ts';
import type { Rule } from '../../checkers/violation.ts';
import { faultGroups } from '../faults/faultKinds.ts';
import { bootNowMs } from '../world/bootNow.ts';
import type { FaultNode } from '../world/faultNode.ts';
import type { FaultKind, FaultWorld } from '../world/faultWorld.ts';
import { type BoardRun, type FaultBoard, whyItWaits } from './faultBoard.ts';

const linesMax = 40;
const troublesMax = 8;
const engineKinds: readonly (readonly [RegExp, string])[] = [
  [/^member/, 'only a cluster of databases has members (--engine galera)'],
  [/^database/, 'only where one server is the database'],
  [/API/, 'the nodes have no API (--api 0)'],
  [/operation/, 'every operation goes by an API (--api 100)'],
];

/** All that the page shows, as plain data. */
export async function boardView(board: FaultBoard): Promise<object> {
  const { options, run, soFar, state } = board;
  return {
    phase: board.end === null ? state.phase : 'judged',
    isOpen: board.isOpen,
    isDealing: board.isDealing,
    seed: options.seed,
    engine: run?.table.world.engine.version ?? options.engine,
    replay: `npm run fault -- --replay ${options.folder}`,
    seconds: run === null ? 0 : Math.round((bootNowMs() - run.startedMs) / 1_000),
    secondsMax: Math.round(options.minutes * 60),
    groups: run === null ? [] : groupsOf(run),
    lasting: [...state.lasting].map(({ kind, node, phase, detail, untilMs }) => ({
      ...{ kind, node, phase, detail },
      leftMs: untilMs === null ? null : Math.max(0, untilMs - bootNowMs()),
    })),
    troubles: state.troubles.slice(-troublesMax).reverse(),
    ...(run === null ? noWorld : await worldOf(run)),
    rules: rulesOf(board),
    judgedMs: soFar === null ? null : Date.now() - (bootNowMs() - soFar.untilMs),
    isClean: board.end?.verdict.isClean ?? null,
  };
}

const noWorld = { nodes: [], servers: [], operations: [], outcomes: {} };

async function worldOf({ startedMs, table }: BoardRun): Promise<object> {
  const { world } = table;
  const { operations } = world.operator;
  const states = world.engine.members.map(
    async (member) => [member, await member.state()] as const,
  );
  const servers = (await Promise.all(states)).map(([{ name, port }, state]) => {
    return { name, detail: `port ${port}`, state: serverWords[state] };
  });
  const outcomes = groupBy(operations, outcomeOf);
  return {
    nodes: world.nodes.map((node) => nodeOf(node, world)),
    servers,
    operations: operations
      .slice(-linesMax)
      .reverse()
      .map((operation) => ({
        second: Math.max(0, Math.round((operation.invokedMs - startedMs) / 1_000)),
        ...{ kind: operation.kind, job: operation.job, detail: operation.detail },
        outcome: outcomeOf(operation),
      })),
    outcomes: Object.fromEntries([...outcomes].map(([outcome, { length }]) => [outcome, length])),
  };
}

const serverWords = { running: 'live', stopped: 'frozen', dead: 'dead' } as const;

function outcomeOf({ answeredMs, outcome }: Operation): string {
  return outcome === 'info' ? (answeredMs === null ? 'under way' : 'unknown') : outcome;
}

function nodeOf(node: FaultNode, { clock }: FaultWorld): object {
  const { guardianPid, name, nodePid } = node;
  const session = clock.live.get(name);
  const isLive = session !== undefined && session.processId === nodePid;
  const isFrozen = nodePid !== null && readProcess(nodePid)?.state === 'T';
  return {
    name,
    state: isFrozen ? 'frozen' : isLive ? 'live' : nodePid === null ? 'dead' : 'joining',
    sessionId: isLive ? session.sessionId : '',
    ...{ guardianPid, nodePid },
  };
}

/** Every kind that is known, and why one cannot be had here, or not now. */
function groupsOf({ dealing, notRun, table }: BoardRun): object[] {
  const chosen = new Set(dealing.kinds.map(({ kind }) => kind));
  const never = (each: FaultKind): string => {
    if (chosen.has(each.kind)) return '';
    const isLeftOut = each.isFor?.(table.world) !== false;
    const ofEngine = engineKinds.find(([pattern]) => pattern.test(each.kind))?.[1];
    return notRun.get(each.kind) ?? (isLeftOut ? 'left out by --faults' : (ofEngine ?? ''));
  };
  return faultGroups().map(({ title, kinds }) => ({
    title,
    kinds: kinds.map((each) => ({
      ...{ kind: each.kind, takes: each.takes, never: never(each) },
      times: table.healed.filter(({ kind }) => kind === each.kind).length,
      waits: table.places(each.takes).length === 0 ? whyItWaits[each.takes] : '',
    })),
  }));
}

const page = new URL('../../../docs/faults.md', import.meta.url);
/** As `docs/faults.md` has them. */
const sentences = [...readFileSync(page, 'utf8').matchAll(/^\| (C\d+) \| (.*) \|$/gm)].map(
  ([, rule = '', sentence = '']) => ({ rule, sentence }),
);

/** `state`: what its light tells; `says`: in words. */
function rulesOf({ end, soFar }: FaultBoard): object[] {
  return sentences.map(({ rule, sentence }) => {
    const found = end?.verdict.violations.filter((each) => each.rule === rule);
    const broken = soFar?.broken.get(rule as Rule);
    const times = found?.length ?? broken?.times ?? 0;
    const first = found?.[0]?.what ?? broken?.first ?? '';
    const light = (state: string, says: string): object => {
      return { rule, sentence, state, says, times };
    };
    if (times > 0) return light('broken', first);
    if (end !== null) return light('kept', 'kept');
    return soFar === null ? light('open', 'not judged yet') : light('sofar', 'no violation so far');
  });
}
