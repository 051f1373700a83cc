import { printWrapped } from './printWrapped.ts';

/** Says what may be right already. */
export function printRemark(text: string): void {
  printWrapped(`note: ${text}`);
}

/** Warns the person at the terminal. */
export function printWarning(text: string): void {
  printWrapped(`warning: ${text}`);
}
