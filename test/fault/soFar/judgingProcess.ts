import os from 'node:os';
import { makeHistory } from '../record/makeHistory.ts';
import { type Evidence, readEvidence } from '../record/readEvidence.ts';
import type { Asked, Told } from './judgeSoFar.ts';
import { countSoFar } from './soFar.ts';

let evidence: Evidence | null = null;

async function answer(asked: Asked): Promise<Told> {
  if (asked.ask === 'read') {
    evidence = await readEvidence(asked.place, asked.readMs);
    return {};
  }
  if (evidence === null) throw new Error('nothing was read');
  return { soFar: countSoFar(makeHistory(evidence, asked.own)) };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

// It gives way to what is judged: nodes, database and jobs. With the lowest priority it might stand
// still where these leave nothing.
os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
// Ctrl-C is for the supervisor, which ends this one when it is no longer needed.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (asked: Asked) => {
  answer(asked).then(
    (told) => process.send?.({ ...told, cpuMs: cpuMs() }),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
