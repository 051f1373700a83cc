/** Who asked for a change, and how: what the audit log tells of it. */
export interface ChangedBy {
  /** A token's name, or `user@host` of a command that speaks to the database itself. */
  readonly actor: string;
  readonly via: 'api' | 'cli';
  /** Of the HTTP request, or of the command. */
  readonly requestId: string;
  /** The client's address; null for a command. */
  readonly address: string | null;
}
