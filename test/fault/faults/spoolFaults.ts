import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FaultKind } from '../world/faultWorld.ts';

const fillBytesMax = 64 * 1024 * 1024;
const piece = Buffer.alloc(64 * 1024);

/** The disk that results are spooled to is full, just when there is something to spool. */
export function spoolFaults(): FaultKind[] {
  return [
    {
      kind: 'spool disk full',
      takes: 'node',
      stops: 'node',
      needs: ['restarts'],
      missing: ({ nodes }) =>
        nodes.every(({ isSpoolSmall }) => isSpoolSmall) ? null : 'only root can mount a small disk',
      inject: async (_world, random, node) => {
        const file = path.join(node.spoolFolder, 'ballast');
        await fill(file);
        node.line.each((proxy) => proxy.blackHole('both'));
        return {
          target: node.name,
          detail: 'and nothing passes to the database',
          lastsMs: random.between(500, 3_000),
          heal: async () => {
            node.line.each((proxy) => proxy.heal());
            await rm(file, { force: true });
          },
        };
      },
    },
  ];
}

async function fill(name: string): Promise<void> {
  const file = await open(name, 'w');
  try {
    for (let bytes = 0; bytes < fillBytesMax; bytes += piece.length) await file.write(piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
    throw error;
  } finally {
    await file.close();
  }
  await rm(name);
  throw new Error(`${name}: the disk is larger than it should be`);
}
