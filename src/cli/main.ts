#!/usr/bin/env node
import { runProgram } from './program.ts';

// A reader that has seen enough (`statecron runs | head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runProgram(process.argv.slice(2));
