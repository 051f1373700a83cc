import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileScope } from '../support/testEngine.ts';
import { skip } from './browserProgram.ts';
import { type BrowserWorld, makeBrowserWorld } from './browserWorld.ts';

let world: BrowserWorld;
before(async () => {
  if (skip === false) world = await makeBrowserWorld(fileScope);
});

/** What a text measures in the font of the page, else in another one. */
const measure = `(text, { weight = 400, other = 'serif', digits = 'tabular-nums' }) => {
  const box = document.createElement('span');
  box.textContent = text;
  box.style.cssText = 'position: absolute; font-size: 100px; white-space: pre';
  box.style.fontFamily = 'Geist, ' + other;
  box.style.fontWeight = weight;
  box.style.fontVariantNumeric = digits;
  document.body.append(box);
  const { width } = box.getBoundingClientRect();
  box.remove();
  return width;
}`;

test('the font has the characters of western languages, digits of one width, and weights', {
  skip,
}, async () => {
  const { close, page, troubles } = await world.open({ as: world.token });
  await page.goto(`${world.origin}/#/`);
  await page.evaluate(`document.fonts.ready`);
  const widthOf = (text: string, how: object = {}) =>
    page.evaluate<number>(`(${measure})(${JSON.stringify(text)}, ${JSON.stringify(how)})`);
  const codes = [...Array(0x100).keys()].filter((code) => code > 0x20 && code % 0x80 >= 0x20);
  const characters = [...codes.filter((code) => code !== 0x7f && code !== 0xad)]
    .map((code) => String.fromCodePoint(code))
    .concat([...'–—‘’“”…•€™−↑↓']);
  const missing: string[] = [];
  for (const character of characters) {
    const widths = [await widthOf(character), await widthOf(character, { other: 'monospace' })];
    if (widths[0] !== widths[1]) missing.push(character);
  }
  assert.deepEqual(missing, []);
  assert.equal(await widthOf('1111'), await widthOf('0000'));
  assert.notEqual(
    await widthOf('1111', { digits: 'normal' }),
    await widthOf('0000', { digits: 'normal' }),
  );
  const widths = [await widthOf('mm'), await widthOf('mm', { weight: 700 })];
  assert.ok((widths[1] ?? 0) > (widths[0] ?? 0), `${widths}`);
  assert.deepEqual(troubles, []);
  await close();
});
