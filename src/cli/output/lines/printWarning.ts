import { printWrapped } from './printWrapped.ts';

/** Warns the person at the terminal. */
export function printWarning(text: string): void {
  printWrapped(`warning: ${text}`);
}
