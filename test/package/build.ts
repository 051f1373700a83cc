import path from 'node:path';
import { bundleProgram } from './bundleProgram.ts';

/** Run by `npm run build`, beside the types that tsc writes: the program, then its page. */
await bundleProgram(path.resolve(import.meta.dirname, '../../dist'));
await import('./buildPage.ts');
