import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import type { BrowserWorld } from './browserWorld.ts';
import { byWindow, checkScreen, checksIn } from './checkScreen.ts';
import { makeSampleWorld } from './sampleWorld.ts';

let world: BrowserWorld;

before(async () => {
  if (skip === false) world = await makeSampleWorld(fileScope);
});

for (const check of byWindow(checksIn('dark'))) {
  const { screen, state, look } = check;
  const title = `${screen.name}, ${state}, dark, ${look.width} px: nothing is wrong`;
  test(title, { skip }, () => checkScreen(world, check));
}
