import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import type { BrowserWorld } from './browserWorld.ts';
import { byWindow, checkScreen, looks, statesOf } from './checkScreen.ts';
import { makeSampleWorld } from './sampleWorld.ts';
import { screenTable } from './screenTable.ts';

let world: BrowserWorld;

before(async () => {
  if (skip === false) world = await makeSampleWorld(fileScope);
});

// Each screen once in each state; `matrixLight` and `matrixDark` have each of them in each look.
const checks = screenTable.flatMap((screen, row) =>
  statesOf(screen).map((state, column) => {
    return { screen, state, look: looks[(row + column) % looks.length] ?? looks[0] };
  }),
);

for (const check of byWindow(checks)) {
  const { screen, state, look } = check;
  const title = `nothing is wrong with ${screen.name}: ${state}, ${look.colours}, ${look.width} px`;
  test(title, { skip }, () => checkScreen(world, check));
}
