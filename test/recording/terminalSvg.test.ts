import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ShownLine, terminalSvg } from './terminalSvg.ts';

const lines: ShownLine[] = [
  { atMs: 0, source: 'typed', text: 'kill -9 1 && echo "<dead>"' },
  { atMs: 9_500, source: 'web2', text: 'report  succeeded' },
  { atMs: 61_000, source: 'output', text: 'report  lost' },
];
const svg = terminalSvg('a title', lines, 80);

test('each line stands there with its time, and appears when it came', () => {
  assert.match(svg, />0:00\.0.*>kill.-9.1.&amp;&amp;.echo."&lt;dead&gt;"</);
  assert.match(svg, />0:09\.5.*>web2.│.*class="good">succeeded</);
  assert.match(svg, />1:01\.0.*class="bad">lost</);
  const shares = [...svg.matchAll(/\{0%\{opacity:0\}([\d.]+)%/g)].map(([, share]) => Number(share));
  assert.equal(shares.length, 2, 'the first is there from the beginning');
  assert.ok(Number(shares[0]) > 0 && Number(shares[0]) < Number(shares[1]), `${shares}`);
});

test('a reader who wants no motion sees all lines', () => {
  assert.match(svg, /prefers-reduced-motion:reduce\)\{\.row\{animation:none\}\}/);
  assert.doesNotMatch(svg, /<text[^>]*opacity/, 'nothing is hidden but by the animation');
});

test('the picture in docs is one of these, of a killed node and a clean history', () => {
  const picture = readFileSync(new URL('../../docs/failover.svg', import.meta.url), 'utf8');
  const [styles] = /<style>.*?\.row\{/s.exec(svg) ?? [];
  assert.ok(styles && picture.includes(styles), 'npm run recording makes it anew');
  assert.match(picture, />kill.-9.*>lost<.*>No.promise.is.broken</s);
});
