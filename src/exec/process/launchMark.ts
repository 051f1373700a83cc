/** The environment variable that marks every process of a launch: its fencing token. */
export const markName = 'STATECRON_LAUNCH_ID';

/** Set to `finish` in every process that a fence leaves alone. */
export const onFenceName = 'STATECRON_ON_FENCE';
