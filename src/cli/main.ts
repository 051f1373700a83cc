#!/usr/bin/env node
import { makeProgram, runProgram } from './program.ts';

const args = process.argv.slice(2);
const isNode = args[0] === 'node' || args[0] === 'up';

// A reader that has seen enough (`statecron runs | head`) is no fault; a node, which has jobs to
// run, goes on unseen.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isNode) return;
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`statecron: What is printed cannot be written: ${error.message}.\n`);
  process.stderr.write('hint: Check where standard output goes, and the room there.\n');
  process.exit(1);
});

// The terminal of a node may hang up: nobody reads its last lines then, and it still has to drain.
if (isNode) process.stderr.on('error', () => undefined);

// What the scripts of "statecron print completion" call, and no person: no command of the program.
if (args[0] === 'complete' && args[1] === '--') {
  const { printCandidates } = await import('./completion/printCandidates.ts');
  await printCandidates(await makeProgram(() => undefined), args.slice(2));
  process.exit(0);
}

process.exitCode = await runProgram(args);
