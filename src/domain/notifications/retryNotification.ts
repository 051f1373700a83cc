/** After so many tries, or so long after it was first due, a notification is given up. */
export const triesMax = 20;
export const waitingHoursMax = 24;

const retryMsMin = 5_000;
const retryMsMax = 3_600_000;
const restMsMin = 1_000;
const restMsMax = 300_000;

/**
 * When a notification that could not be sent is tried again: doubling, with jitter, milliseconds.
 */
export function retryNotificationMs(triesBefore: number, random: number): number {
  return grow(retryMsMin, retryMsMax, triesBefore, random);
}

/**
 * How long a target is left alone that has failed so often in a row, all its notifications with it.
 */
export function restTargetMs(failuresBefore: number, random: number): number {
  return grow(restMsMin, restMsMax, failuresBefore, random);
}

/** Drawn between half and the whole, so that what failed together does not come back together. */
function grow(msMin: number, msMax: number, times: number, random: number): number {
  return Math.round(Math.min(msMax, msMin * 2 ** Math.min(times, 16)) * (0.5 + random / 2));
}
