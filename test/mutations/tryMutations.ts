import type { Mutation, Shown } from './mutation.ts';
import { editsOf } from './mutation.ts';
import { makePrivateCopy, type PrivateCopy, removePrivateCopy } from './privateCopy.ts';
import {
  type EndedTest,
  type NamedTestsOptions,
  type NamedTestsRun,
  runNamedTests,
} from './runNamedTests.ts';

/**
 * What became of a mutation. `caught`: its test fails, in the way that was stated. `survived`: its
 * test passes. `unclear`: it failed some other way. `broken`: its test fails without it, too.
 * `not run`: its test is skipped on this machine.
 */
export interface Tried {
  readonly mutation: Mutation;
  readonly verdict: 'caught' | 'survived' | 'unclear' | 'broken' | 'not run';
  /** What the test said, or why it is not caught. */
  readonly says: string;
  readonly ms: number;
}

export interface TryOptions {
  /** A folder of ours for the copies. */
  readonly folder: string;
  /** How many tests run at once, each in a copy of its own. */
  readonly copies: number;
  /** What tells the tests of their database. */
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  readonly onTried: (tried: Tried) => void;
}

const timeoutMs = 150_000;

type Baseline = Pick<Tried, 'verdict' | 'says'> | 'passes';

/** Tries every mutation, after its test has passed without it. */
export async function tryMutations(
  mutations: readonly Mutation[],
  options: TryOptions,
): Promise<Tried[]> {
  const count = Math.max(1, Math.min(options.copies, mutations.length));
  const copies = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      makePrivateCopy(`${options.folder}/copy${number}`),
    ),
  );
  const run = { env: options.env, timeoutMs, signal: options.signal };
  try {
    const baselines = new Map<string, Baseline>();
    await share(groupByFile(mutations), copies, options.signal, async ([file, titles], copy) => {
      const plain = await runNamedTests(copy, file, titles, run);
      for (const title of titles) baselines.set(`${file} ${title}`, baselineOf(plain, title));
    });
    const all: Tried[] = [];
    await share(mutations, copies, options.signal, async (mutation, copy) => {
      const { file, title } = mutation.test;
      const baseline = baselines.get(`${file} ${title}`) ?? 'passes';
      const tried =
        baseline === 'passes'
          ? await tryOne(mutation, copy, run)
          : { mutation, ...baseline, ms: 0 };
      all.push(tried);
      options.onTried(tried);
    });
    return all;
  } finally {
    await Promise.all(copies.map(removePrivateCopy));
  }
}

/** Whoever has a copy free takes the next piece of work. */
async function share<T>(
  work: Iterable<T>,
  copies: readonly PrivateCopy[],
  signal: AbortSignal,
  each: (item: T, copy: PrivateCopy) => Promise<void>,
): Promise<void> {
  const waiting = [...work];
  await Promise.all(
    copies.map(async (copy) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        if (signal.aborted) return;
        await each(item, copy);
      }
    }),
  );
}

function groupByFile(mutations: readonly Mutation[]): Map<string, string[]> {
  const titles = new Map<string, Set<string>>();
  for (const { test } of mutations) {
    const ofFile = titles.get(test.file) ?? new Set();
    titles.set(test.file, ofFile.add(test.title));
  }
  return new Map([...titles].map(([file, ofFile]) => [file, [...ofFile]]));
}

function baselineOf(plain: NamedTestsRun, title: string): Baseline {
  const own = plain.ended.filter(({ name }) => name.includes(title));
  const failed = own.find(({ result }) => result === 'failed');
  if (failed !== undefined) {
    return { verdict: 'broken', says: `without the mutation: ${failed.message ?? ''}` };
  }
  if (own.some(({ result }) => result === 'passed')) return 'passes';
  const skipped = plain.ended.find(({ reason }) => reason.startsWith('not run'));
  if (skipped !== undefined) return { verdict: 'not run', says: skipped.reason };
  const why = plain.timedOut ? `nothing within ${timeoutMs} ms` : plain.errors.trim().slice(-500);
  return { verdict: 'broken', says: `no test of this title ran: ${why}` };
}

async function tryOne(
  mutation: Mutation,
  copy: PrivateCopy,
  run: NamedTestsOptions,
): Promise<Tried> {
  const { file, title } = mutation.test;
  const isCaught = (ended: EndedTest): boolean =>
    ended.name.includes(title) && isShown(ended, mutation.shown ?? 'assertion');
  const broken = await copy.withEdits(editsOf(mutation), () =>
    runNamedTests(copy, file, [title], { ...run, isEnough: isCaught }),
  );
  const own = broken.ended.filter(({ name }) => name.includes(title));
  const failed = own.filter(({ result }) => result === 'failed');
  const shown = failed.find(isCaught);
  const { ms } = broken;
  if (shown !== undefined) return { mutation, verdict: 'caught', says: firstLine(shown), ms };
  const [other] = failed;
  if (other !== undefined) return { mutation, verdict: 'unclear', says: firstLine(other), ms };
  if (broken.timedOut) return { mutation, verdict: 'unclear', says: 'it never ended', ms };
  if (own.some(({ result }) => result === 'passed')) {
    return { mutation, verdict: 'survived', says: 'its test passes', ms };
  }
  const says = `no test ran: ${broken.errors.trim().slice(-500)}`;
  return { mutation, verdict: 'unclear', says, ms };
}

function isShown({ result, isAssertion, message = '' }: EndedTest, shown: Shown): boolean {
  if (result !== 'failed') return false;
  if (shown === 'assertion') return isAssertion === true;
  return message.includes(shown === 'deadline' ? 'Not within' : shown.says);
}

function firstLine({ message = '' }: EndedTest): string {
  const [first = '', ...rest] = message.split('\n').filter((line) => line.trim() !== '');
  return [first, ...rest.slice(0, 3)].join(' ').slice(0, 160);
}
