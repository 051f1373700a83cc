import type { Operation } from '../../checkers/history.ts';

export type OperationKind = Operation['kind'];

/** A job that operations may be done to. */
export interface Victim {
  readonly name: string;
  isPaused: boolean;
  /** Commands that were made for it so far; each has a token of its own. */
  tokens: number;
  /** One operation at a time, so that the order of its answers tells the order of its changes. */
  isBusy: boolean;
}
