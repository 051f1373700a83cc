import { readFlags, refuseFlags } from '../../support/readFlags.ts';
import { serverVariables, startTestServer } from '../../support/startTestServer.ts';

const help = `npm run fuzz -- [--requests 20000] [--seed N]
Sends generated requests to the API of a database of its own, and says what it found.`;

const { values } = readFlags(
  {
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
      help: { type: 'boolean' },
    },
  },
  help,
);
if (values.help === true) {
  console.log(help);
  process.exit(0);
}
const [requests, seed] = [wholeOf('requests'), wholeOf('seed')];

function wholeOf(name: 'requests' | 'seed'): number {
  const text = values[name];
  return /^\d{1,10}$/.test(text)
    ? Number(text)
    : refuseFlags(`--${name}: a number is wanted`, help);
}

const server = await startTestServer();
process.env[serverVariables.mariadb] = server.url;
// What makes databases for tests asks for the server's address when it is loaded.
const { fuzzApi } = await import('./fuzzApi.ts');
const { makeFuzzWorld } = await import('./fuzzWorld.ts');
const cleanUps: (() => Promise<void>)[] = [];
let code = 1;
try {
  const fuzzed = await makeFuzzWorld({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  console.log(`seed ${seed}, ${server.version}`);
  const outcome = await fuzzApi(fuzzed, { requests, seed, say: (line) => console.log(line) });
  const counts = [...outcome.statuses].sort(([one], [other]) => one - other);
  console.log(counts.map(([status, count]) => `${status}: ${count}`).join('  '));
  console.log(outcome.failure ?? `${outcome.sent} requests, ${outcome.jobs} jobs, nothing found`);
  code = outcome.failure === null ? 0 : 1;
} finally {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  await server.stop();
}
// The test runner is loaded by what tests share, and would tell of no tests at a usual end.
process.exit(code);
