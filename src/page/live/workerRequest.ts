/** What a page says to the worker; `restart`: it has another login now. */
export interface WorkerRequest {
  readonly what: 'join' | 'restart' | 'leave';
  /** Of the API. */
  readonly url: string;
}
