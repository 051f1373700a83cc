import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describeViolation } from '../checkers/describeViolation.ts';
import { judge } from '../checkers/judge.ts';
import { buildProgram } from '../fault/world/buildProgram.ts';
import { NotHereError } from '../support/fetchMysql.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { readFlags, refuseFlags } from '../support/readFlags.ts';
import { startTestServer } from '../support/startTestServer.ts';
import { previousVersion } from './previousVersion.ts';
import { rollUpgrade } from './rollUpgrade.ts';
import { makeUpgradeWorld } from './upgradeWorld.ts';

const help = `Runs nodes of a version before beside this one, under load, and judges the history.

npm run upgrade -- [--seed 1] [--minutes 2] [--beside VERSION]
  --beside VERSION  the version before: 0.2.0, a tag or a commit (the newest release before this)
The folder with history and logs is kept when a promise was broken.`;

const { values } = readFlags(
  {
    options: {
      seed: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '2' },
      beside: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  },
  help,
);
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
if (!Number.isSafeInteger(seed)) refuseFlags('--seed: a whole number', help);
if (!(minutes > 0)) refuseFlags('--minutes: a number above 0', help);
if (values.help) console.log(help);
else process.exitCode = await run();

async function run(): Promise<number> {
  const say = (line: string) => console.log(line);
  const previous = await previousVersion(values.beside ?? null, say).catch((error: unknown) => {
    if (error instanceof NotHereError) return refuseFlags(error.message, help);
    throw error;
  });
  const cleanUps: (() => Promise<void>)[] = [];
  const scope = lastFirst({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  const folder = await mkdtemp(path.join(os.tmpdir(), 'statecron-upgrade-'));
  const server = await startTestServer('mariadb');
  let isKept = true;
  try {
    const main = await buildProgram(path.join(folder, 'program'));
    const programs = { old: previous.main, new: main };
    const world = await makeUpgradeWorld(scope, { programs, folder, url: server.url });
    const options = { seed, seconds: minutes * 60, say };
    const { history, started, steps } = await rollUpgrade(world, options);
    const violations = judge(history);
    for (const violation of violations) console.log(describeViolation(violation, history));
    await writeFile(path.join(folder, 'history.json'), JSON.stringify(history));
    const ran = `${previous.name} started ${started.old} children, this version ${started.new}`;
    console.log(`${ran}; ${steps.length} steps; ${violations.length} violations`);
    isKept = violations.length > 0;
    if (isKept) console.log(`kept: ${folder}`);
    return isKept ? 1 : 0;
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
    await server.stop();
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}
