import os from 'node:os';
import { makeHistory } from '../record/makeHistory.ts';
import { type Evidence, readEvidence } from '../record/readEvidence.ts';
import type { JudgeReply, JudgeRequest } from './judgeSoFar.ts';
import { countSoFar } from './soFar.ts';

let evidence: Evidence | null = null;

async function answer(request: JudgeRequest): Promise<JudgeReply> {
  if (request.kind === 'read') {
    evidence = await readEvidence(request.place, request.readMs);
    return {};
  }
  if (evidence === null) throw new Error('nothing was read');
  return { soFar: countSoFar(makeHistory(evidence, request.own)) };
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
process.on('message', (request: JudgeRequest) => {
  answer(request).then(
    (reply) => process.send?.({ ...reply, cpuMs: cpuMs() }),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
