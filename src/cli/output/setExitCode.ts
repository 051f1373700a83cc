/** Told by an action that ends with a code of its own, such as a job's. */
export type SetExitCode = (code: number) => void;
