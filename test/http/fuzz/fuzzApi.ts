import fc from 'fast-check';
import type { HeardAnswer } from '../world/askRaw.ts';
import { type ApiDescription, readApiDescription } from '../world/openApiDocument.ts';
import { faultOfAnswer, undocumentedProblem } from './faultOfAnswer.ts';
import { type FuzzRequest, tellRequest } from './fuzzRequest.ts';
import { JobLedger } from './jobLedger.ts';
import { garbageRequests, spoiledRequests } from './spoiledRequests.ts';
import { requestOf, validParts } from './validRequests.ts';

/** What is fuzzed. */
export interface Fuzzed {
  readonly origin: string;
  send(request: FuzzRequest): Promise<HeardAnswer>;
  /** The names of all jobs that there are, by the database itself. */
  readJobs(): Promise<readonly string[]>;
  /** Lets what was asked for happen; called now and then. */
  work(): Promise<void>;
  /** What is wrong in the end: troubles of the server, findings of a verification. */
  examine(): Promise<readonly string[]>;
}

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly say?: (line: string) => void;
}

export interface FuzzOutcome {
  /** Null: nothing was found. */
  readonly failure: string | null;
  readonly sent: number;
  /** How many answers had which status. */
  readonly statuses: ReadonlyMap<number, number>;
  readonly jobs: number;
}

/** So many are under way at once. */
const batchMax = 6;
/** After so many batches the worker works, and it is said how far it is. */
const roundBatches = 40;

/**
 * Sends generated requests, some at once, and looks at every answer: no fault of the server, none
 * without an answer, and in the end every job that was added and not removed. A failure is shrunk
 * to the least that fails still. The same seed sends the same requests.
 */
export async function fuzzApi(fuzzed: Fuzzed, options: FuzzOptions): Promise<FuzzOutcome> {
  const { requests, seed, say = () => undefined } = options;
  const ledger = new JobLedger();
  const statuses = new Map<number, number>();
  const description = await readApiDescription(fuzzed.origin);
  const sendAll = async (batch: readonly FuzzRequest[]): Promise<void> => {
    const answers = await Promise.allSettled(batch.map((request) => fuzzed.send(request)));
    const faults = answers.flatMap((answer, place) =>
      noteAnswer(batch[place] as FuzzRequest, answer, ledger, statuses, description),
    );
    await ledger.settle(fuzzed.readJobs);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  const batches = fc.array(requestValue(description), {
    ...{ minLength: 1, maxLength: batchMax, size: 'max' },
  });
  const sentSoFar = (): number => [...statuses.values()].reduce((sum, each) => sum + each, 0);
  const outcome = (failure: string | null): FuzzOutcome => {
    return { failure, sent: sentSoFar(), statuses, jobs: ledger.jobs.length };
  };
  for (let round = 0; sentSoFar() < requests; round += 1) {
    const checked = await fc.check(fc.asyncProperty(batches, sendAll), {
      ...{ seed: seed + round, numRuns: roundBatches, endOnFailure: false },
    });
    if (checked.failed) return outcome(printFailure(checked, seed, round));
    await fuzzed.work();
    say(`${sentSoFar()} requests, ${ledger.jobs.length} jobs, ${ledger.doubts} doubts`);
  }
  const faults = await lastLook(fuzzed, ledger);
  return outcome(faults.length === 0 ? null : `seed ${seed}, in the end:\n${faults.join('\n')}`);
}

/** Of every ten about five as they should be, four that nearly are, one that is nothing. */
function requestValue(description: ApiDescription): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 5, arbitrary: validParts(description).map(requestOf) },
    { weight: 4, arbitrary: spoiledRequests(description) },
    { weight: 1, arbitrary: garbageRequests },
  );
}

function noteAnswer(
  request: FuzzRequest,
  answer: PromiseSettledResult<HeardAnswer>,
  ledger: JobLedger,
  statuses: Map<number, number>,
  description: ApiDescription,
): string[] {
  const told = tellRequest(request);
  if (answer.status === 'rejected') {
    statuses.set(0, (statuses.get(0) ?? 0) + 1);
    return [`${told}\n  ${String(answer.reason)}`];
  }
  const { status } = answer.value;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  ledger.note(request, answer.value);
  const fault =
    faultOfAnswer(request, answer.value) ?? undocumentedProblem(request, answer.value, description);
  return fault === null ? [] : [`${told}\n  ${fault}`];
}

function printFailure(
  { counterexample, errorInstance, numShrinks }: fc.RunDetails<[readonly FuzzRequest[]]>,
  seed: number,
  round: number,
): string {
  const [batch = []] = counterexample ?? [];
  return [
    `seed ${seed}, round ${round}, shrunk ${numShrinks} times to:`,
    ...batch.map((request) => `  ${tellRequest(request)}`),
    String((errorInstance as Error | null)?.message ?? errorInstance),
  ].join('\n');
}

/** Everything must be there that must, and nothing else; and the server be as well as before. */
async function lastLook(fuzzed: Fuzzed, ledger: JobLedger): Promise<string[]> {
  const there = new Set(await fuzzed.readJobs());
  const lost = ledger.jobs.filter((job) => !there.has(job));
  const ghosts = [...there].filter((job) => !ledger.jobs.includes(job));
  const alive = await fuzzed.send({
    ...{ sender: 'nobody', method: 'GET', target: '/livez', headers: {}, body: null },
  });
  return [
    ...lost.map((job) => `the job ${JSON.stringify(job)} is lost`),
    ...ghosts.map((job) => `nobody was told of the job ${JSON.stringify(job)}`),
    ...(alive.status === 200 ? [] : [`/livez: ${alive.status}`]),
    ...(await fuzzed.examine()),
  ];
}
