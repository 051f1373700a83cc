/** That a job is paused, and until when; null: until somebody resumes it. */
export interface JobPause {
  readonly untilMs: number | null;
}
