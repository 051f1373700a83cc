/**
 * The commands of the protocol that the proxy must tell apart, by the first byte of a request.
 * https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_command_phase.html
 */
export const command = {
  quit: 0x01,
  query: 0x03,
  fieldList: 0x04,
  statistics: 0x09,
  changeUser: 0x11,
  binlogDump: 0x12,
  statementPrepare: 0x16,
  statementExecute: 0x17,
  statementLongData: 0x18,
  statementClose: 0x19,
  statementFetch: 0x1c,
  binlogDumpGtid: 0x1e,
  /** MariaDB's own. */
  statementBulkExecute: 0xfa,
} as const;

const unanswered: ReadonlySet<number> = new Set([
  command.quit,
  command.statementLongData,
  command.statementClose,
]);

/** False for the commands that the server never replies to. */
export function hasReply(code: number): boolean {
  return !unanswered.has(code);
}
