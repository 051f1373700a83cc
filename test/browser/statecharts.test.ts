import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { skip } from './browserProgram.ts';
import { useBrowser } from './useBrowser.ts';

const folder = path.resolve(import.meta.dirname, '../../statecharts');
const names = (await readdir(folder)).filter((name) => name.endsWith('.svg'));
const viewport = { width: 1_280, height: 800 };

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a browser shows each statechart whole, and each word in its box, ${colorScheme}`, {
    skip,
  }, async () => {
    const browser = await useBrowser();
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const papers = new Set<string>();
    for (const name of names) {
      await page.goto(pathToFileURL(path.join(folder, name)).href);
      const { paper, wrong } = await page.evaluate<Looks>(lookAtWords);
      assert.deepEqual(wrong, [], name);
      papers.add(paper);
    }
    assert.deepEqual(
      [...papers],
      [colorScheme === 'light' ? 'rgb(251, 250, 247)' : 'rgb(19, 23, 29)'],
    );
    await context.close();
  });
}

interface Looks {
  readonly paper: string;
  /** Words that cannot be seen or read, a sentence each. */
  readonly wrong: string[];
}

/** Runs in the page: with the fonts of this browser and the colours that it computes. */
const lookAtWords = `(() => {
  const wrong = [];
  const isFilled = (rectangle) => getComputedStyle(rectangle).fill !== 'none';
  const rectangles = [...document.querySelectorAll('rect')].filter(isFilled);
  const paper = getComputedStyle(rectangles[0]).fill;
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/\\d+/g).map((each) => {
      const part = each / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const words = document.querySelectorAll('text');
  if (words.length === 0) wrong.push('there are no words');
  for (const text of words) {
    const at = text.getBoundingClientRect();
    const name = text.textContent;
    if (at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight) {
      wrong.push(name + ' is out of the window');
    }
    if (parseFloat(getComputedStyle(text).fontSize) < 11) wrong.push(name + ' is small');
    const holds = (rectangle) => {
      const box = rectangle.getBoundingClientRect();
      const [x, y] = [at.left + 1, (at.top + at.bottom) / 2];
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
    };
    const box = rectangles.findLast(holds);
    if (at.right > box.getBoundingClientRect().right) wrong.push(name + ' is wider than its box');
    const spans = [...text.querySelectorAll('tspan')];
    for (const span of spans.length > 0 ? spans : [text]) {
      const ratio = contrast(getComputedStyle(span).fill, getComputedStyle(box).fill);
      if (ratio < 4.5) wrong.push(name + ' has a contrast of ' + ratio.toFixed(1));
    }
  }
  return { paper, wrong };
})()`;
