import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import type { BrowserWorld } from './browserWorld.ts';
import { checkScreen, inWindows, sightsIn } from './checkScreen.ts';
import { makeSampleWorld } from './sampleWorld.ts';

let world: BrowserWorld;

before(async () => {
  if (skip === false) world = await makeSampleWorld(fileScope);
});

for (const sight of inWindows(sightsIn('light'))) {
  const { screen, state, look } = sight;
  const title = `${screen.name}, ${state}, light, ${look.width} px: nothing is wrong`;
  test(title, { skip }, () => checkScreen(world, sight));
}
