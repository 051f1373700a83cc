import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { programVariable } from '../../support/program.ts';
import { readFlags } from '../../support/readFlags.ts';
import { buildProgram } from '../world/buildProgram.ts';
import { blows } from './blows.ts';
import { runRounds } from './runRounds.ts';

const help = `Freezes and kills every two of guardian, node and launcher, and all three, while they
run children that are hard to end. Never may two trees of a slot live at once, or one for long.

npm run watchers                   20 rounds of each blow
  --rounds <number>                so many
  --blow <pattern>                 only the blows whose name has this regular expression
  --at-once <number>               how many blows are tried at once (4)`;

const { values } = readFlags(
  {
    options: {
      rounds: { type: 'string', default: '20' },
      blow: { type: 'string', default: '' },
      'at-once': { type: 'string', default: '4' },
      help: { type: 'boolean', default: false },
    },
  },
  help,
);

if (values.help) console.log(help);
else await tryAll();

async function tryAll(): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'statecron-watchers-'));
  after(() => rmSync(folder, { recursive: true }));
  process.env[programVariable] = await buildProgram(folder);
  const chosen = [...blows].filter(([name]) => new RegExp(values.blow).test(name));
  describe('watchers', { concurrency: Number(values['at-once']) }, () => {
    for (const [name, blow] of chosen) {
      test(name, async (t) => {
        const figures = await runRounds(t, blow, Number(values.rounds));
        const ms = [...figures.goneMs].sort((a, b) => a - b);
        const gone = `gone after ${ms[ms.length >> 1]} ms (median), ${ms.at(-1)} ms (most)`;
        const { rounds, unharmed, faults } = figures;
        console.log(
          `${name}: ${rounds} rounds, ${unharmed} unharmed, ${gone}, ${faults.length} faults`,
        );
        assert.deepEqual(faults, []);
      });
    }
  });
}
