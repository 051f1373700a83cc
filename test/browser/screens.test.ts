import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import type { BrowserWorld } from './browserWorld.ts';
import { checkScreen, looks, statesOf } from './checkScreen.ts';
import { makeSampleWorld } from './sampleWorld.ts';
import { screenTable } from './screenTable.ts';

let world: BrowserWorld;

before(async () => {
  if (skip === false) world = await makeSampleWorld(fileScope);
});

// Each screen once in each state; `matrix.test.ts` has each of them in each look.
for (const [row, screen] of screenTable.entries()) {
  for (const [column, state] of statesOf(screen).entries()) {
    const look = looks[(row + column) % looks.length] ?? looks[0];
    const { colours, width } = look;
    const title = `nothing is wrong with ${screen.name}: ${state}, ${colours}, ${width} px`;
    test(title, { skip }, () => checkScreen(world, screen, state, look));
  }
}
