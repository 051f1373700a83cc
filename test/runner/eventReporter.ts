import type { TestEvent } from 'node:test/reporters';

/** One ended test, as the runner counts it; one JSON line each. */
export interface EndedTest {
  name: string;
  file: string | undefined;
  result: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped. */
  reason?: string;
}

/**
 * A reporter of node's test runner that writes one line for each test that ended. Suites are not
 * counted, their tests are; but one whose hook failed counts, as nothing else tells of it.
 */
// biome-ignore lint/style/noDefaultExport: node takes a reporter from the default export
export default async function* eventReporter(source: AsyncIterable<TestEvent>) {
  for await (const event of source) {
    const ended = endedTest(event);
    if (ended !== undefined) yield `${JSON.stringify(ended)}\n`;
  }
}

function endedTest(event: TestEvent): EndedTest | undefined {
  if (event.type !== 'test:pass' && event.type !== 'test:fail') return undefined;
  const { data } = event;
  const { name, file } = data;
  const isSuite = data.details.type === 'suite';
  if (event.type === 'test:fail') {
    const { error } = event.data.details as { error?: { failureType?: string } };
    if (isSuite && error?.failureType !== 'hookFailed') return undefined;
    // A test marked `todo` may fail.
    if (data.todo !== undefined && data.todo !== false) {
      return { name, file, result: 'skipped', reason: `todo: ${name}` };
    }
    return { name, file, result: 'failed' };
  }
  if (data.skip !== undefined && data.skip !== false) {
    const reason = typeof data.skip === 'string' && data.skip !== '' ? data.skip : name;
    return { name, file, result: 'skipped', reason };
  }
  return isSuite ? undefined : { name, file, result: 'passed' };
}
