import { createWriteStream } from 'node:fs';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** One ended test, as the run counts it; one JSON line each. */
export interface EndedTest {
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  reason?: string;
}

/** What node's events of ended tests have in common, over the releases 20 to 24. */
interface Ended {
  name: string;
  skip?: string | boolean | undefined;
  todo?: string | boolean | undefined;
  details: { type?: string | undefined; error?: { failureType?: string } };
}

const FILES_AT_ONCE = 2;
const FILE_MS_MAX = 300_000;

/**
 * Runs test files and writes each ended test to a file, while node's own report goes to standard
 * output: `runTests.ts EVENTS FILE…`. It is a program of its own, as node 20 loads no reporter
 * written in TypeScript, and children inherit its loader.
 */
const [eventsFile = '', ...files] = process.argv.slice(2);
const events = createWriteStream(eventsFile);
const stream = run({ files, concurrency: FILES_AT_ONCE, timeout: FILE_MS_MAX });
stream.on('test:pass', (data) => write(passedOrSkipped(data as Ended)));
stream.on('test:fail', (data) => {
  const ended = failed(data as Ended);
  if (data.todo === undefined) process.exitCode = 1;
  write(ended);
});
stream.pipe(new spec()).pipe(process.stdout);

function write(ended: EndedTest | undefined): void {
  if (ended !== undefined) events.write(`${JSON.stringify(ended)}\n`);
}

function passedOrSkipped({ name, skip, details }: Ended): EndedTest | undefined {
  if (skip !== undefined && skip !== false) {
    const reason = typeof skip === 'string' && skip !== '' ? skip : name;
    return { name, result: 'skipped', reason };
  }
  // Suites are not counted, their tests are.
  return details.type === 'suite' ? undefined : { name, result: 'passed' };
}

function failed({ name, todo, details }: Ended): EndedTest | undefined {
  if (todo !== undefined && todo !== false) {
    return { name, result: 'skipped', reason: `to do: ${name}` };
  }
  // Nothing else tells of a suite whose hook failed.
  const counts = details.type !== 'suite' || details.error?.failureType === 'hookFailed';
  return counts ? { name, result: 'failed' } : undefined;
}
