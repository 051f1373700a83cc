/** A reporter for node's runner: one JSON line for each ended test, with the error it failed of. */
// biome-ignore lint/style/noDefaultExport: node asks a reporter for its default export
export default async function* endedTests(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const isSkipped = data.skip !== undefined && data.skip !== false;
    const error = data.details?.error?.cause ?? data.details?.error;
    const result = type === 'test:fail' ? 'failed' : isSkipped ? 'skipped' : 'passed';
    const reason = typeof data.skip === 'string' ? data.skip : '';
    const ended = { name: data.name, result, reason };
    if (result === 'failed') {
      ended.isAssertion = error?.code === 'ERR_ASSERTION';
      ended.message = String(error?.message ?? error).slice(0, 2_000);
    }
    yield `${JSON.stringify(ended)}\n`;
  }
}
