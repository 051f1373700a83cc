import http from 'node:http';

const [url = '', token = ''] = process.argv.slice(2);
const periodMs = 250;

/**
 * Somebody else, in a process of their own, who asks for a list of jobs by another token, each time
 * on a new connection, one list after the other.
 */
let latenciesMs: number[] = [];
let faults: Record<string, number> = {};
let sinceMs: number | null = null;

function fail(word: string | number): void {
  faults[word] = (faults[word] ?? 0) + 1;
}

function ask(): void {
  if (sinceMs !== null) return;
  const beganMs = performance.now();
  sinceMs = beganMs;
  const request = http.get(`${url}/api/v1/jobs?limit=50`, {
    agent: false,
    headers: { authorization: `Bearer ${token}` },
  });
  request.on('response', (response) => {
    response.resume();
    response.on('end', () => {
      if (response.statusCode === 200) latenciesMs.push(performance.now() - beganMs);
      else fail(response.statusCode ?? 0);
    });
  });
  request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
  request.on('close', () => {
    sinceMs = null;
  });
}

const timer = setInterval(ask, periodMs);
process.send?.({ begun: true });
process.on('message', ({ command }: { command: string }) => {
  if (command === 'measure') {
    latenciesMs = [];
    faults = {};
    process.send?.({ measuring: true });
  }
  if (command === 'report') {
    // One that is not answered yet counts for as long as it waits.
    const waiting = sinceMs === null ? [] : [performance.now() - sinceMs];
    process.send?.({ report: { latenciesMs: [...latenciesMs, ...waiting], faults } });
  }
});
process.on('disconnect', () => {
  clearInterval(timer);
  process.exit(0);
});
