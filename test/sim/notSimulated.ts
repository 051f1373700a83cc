/**
 * Transitions that no simulated world takes, and why; the pure tests of the charts take them. Keys
 * are `transitionKey`'s.
 */
export const notSimulated: Readonly<Record<string, string>> = {};
