/** So many jobs are counted whenever somebody asks, which takes some milliseconds. */
export const jobsCountedMax = 10_000;
