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

for (const screen of screenTable) {
  for (const state of statesOf(screen)) {
    for (const look of looks) {
      const title = `${screen.name}, ${state}, ${look.colours}, ${look.width} px: nothing is wrong`;
      test(title, { skip }, () => checkScreen(world, screen, state, look));
    }
  }
}
