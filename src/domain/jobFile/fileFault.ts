/** What is wrong with a file of jobs, and where. */
export interface FileFault {
  readonly line: number;
  /** The job, or null when it is about the file. */
  readonly job: string | null;
  readonly message: string;
}
