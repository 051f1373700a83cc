import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeptOutput } from '../../../src/exec/output/keptOutput.ts';

const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });

test('output up to the bound is kept as it is, beyond it head and tail of it', () => {
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 120 }), (written, bytesMax) => {
      const output = new KeptOutput(bytesMax);
      for (const piece of written) output.append(piece);
      const whole = Buffer.concat(written);
      assert.equal(output.totalBytes, whole.length);
      const rendered = Buffer.from(output.render());
      if (whole.length <= bytesMax) {
        assert.deepEqual(rendered, whole);
        return;
      }
      const head = whole.subarray(0, Math.ceil(bytesMax / 2));
      const tail = whole.subarray(whole.length - Math.floor(bytesMax / 2));
      const marker = `\n[statecron: ${whole.length - bytesMax} bytes left out]\n`;
      assert.deepEqual(rendered, Buffer.concat([head, Buffer.from(marker), tail]));
    }),
  );
});

test('what was kept does not change when the caller uses its buffer again', () => {
  const output = new KeptOutput(100);
  const buffer = Buffer.from('abc');
  output.append(buffer);
  buffer.fill(0);
  assert.equal(Buffer.from(output.render()).toString(), 'abc');
});

test('rendered output is alone in its memory, so that it can change threads', () => {
  const output = new KeptOutput(10);
  output.append(Buffer.from('0123456789abcdef'));
  const rendered = output.render();
  assert.equal(rendered.buffer.byteLength, rendered.byteLength);
});
