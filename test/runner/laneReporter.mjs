import { inspect } from 'node:util';

/** A reporter for node's runner that sends each ended test to the process that started the lane. */
// biome-ignore lint/style/noDefaultExport: node asks a reporter for its default export
export default async function* laneReporter(events) {
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.nesting > 0) {
      process.send?.({ kind: 'diagnostic', text: data.message });
    }
    if (type === 'test:dequeue') process.send?.({ kind: 'began', name: data.name });
    if (type === 'test:pass' || type === 'test:fail') {
      process.send?.({ kind: 'ended', ...describeEnded(type === 'test:fail', data) });
    }
    yield '';
  }
}

function describeEnded(hasFailed, { name, nesting, skip, todo, details, line }) {
  const { error } = details;
  const isSuite = details.type === 'suite';
  const isAllowed = todo !== undefined && todo !== false;
  const ended = { name, nesting, isSuite, ms: details.duration_ms };
  if (skip !== undefined && skip !== false) {
    return { ...ended, result: 'skipped', reason: typeof skip === 'string' ? skip : name };
  }
  if (isAllowed) return { ...ended, result: 'skipped', reason: `to do: ${name}` };
  if (!hasFailed) return { ...ended, result: 'passed' };
  // A suite whose hook failed, or that did not load, is told by nothing else.
  if (isSuite && error?.failureType === 'subtestsFailed') return { ...ended, result: 'passed' };
  const cause = error?.cause ?? error;
  return { ...ended, result: 'failed', line, error: inspect(cause, { depth: 5 }) };
}
