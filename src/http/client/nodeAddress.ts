/** Where a node's API is, and who asks. */
export interface NodeAddress {
  /** Without a path of its own it ends with `/`. */
  readonly url: URL;
  readonly token: string | null;
  /** PEM of the authority that its certificate is checked by; null: those that Node.js knows. */
  readonly authority: string | null;
}
