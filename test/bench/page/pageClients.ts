import http from 'node:http';

/** What a page asked for, so long after it was opened. */
export interface Recorded {
  readonly path: string;
  readonly afterMs: number;
}

export interface ClientsPlan {
  readonly url: string;
  /** Of each client. */
  readonly tokens: readonly string[];
  /** Of each screen. */
  readonly recordings: readonly (readonly Recorded[])[];
  readonly recordedMs: number;
}

const plan = JSON.parse(process.argv[2] ?? '') as ClientsPlan;
const agent = new http.Agent({ keepAlive: true, maxSockets: 2 * plan.tokens.length });
const faults: Record<string, number> = {};
let answered = 0;

/** So many open pages, as recorded: what they ask for, again and again, and the stream. */
for (const [number, token] of plan.tokens.entries()) {
  ask('/api/v1/events', token);
  const recording = plan.recordings[number % plan.recordings.length] ?? [];
  const startMs = (number * plan.recordedMs) / plan.tokens.length;
  for (const { path, afterMs } of recording) {
    setTimeout(() => {
      ask(path, token);
      setInterval(() => ask(path, token), plan.recordedMs);
    }, startMs + afterMs);
  }
}

function ask(path: string, token: string): void {
  const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, br' };
  const request = http.get(`${plan.url}${path}`, { agent, headers }, (response) => {
    response.resume();
    if (response.statusCode === 200) answered += 1;
    else fail(response.statusCode ?? 0);
  });
  request.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
}

function fail(word: string | number): void {
  faults[word] = (faults[word] ?? 0) + 1;
}

process.send?.({ begun: true });
process.on('message', ({ command }: { command: string }) => {
  if (command === 'report') process.send?.({ report: { answered, faults } });
});
process.on('disconnect', () => process.exit(0));
