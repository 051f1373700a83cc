import { isClockOff } from '../../domain/time/isClockOff.ts';
import type { Channel } from '../connection/channel.ts';
import { serverVariable } from '../connection/prepareSession.ts';
import { decimal, integer, only, rowOf, text } from '../rows/row.ts';
import { type Check, checkOf } from './doctorCheck.ts';

/** The server's version and the settings that matter, on a connection prepared as a node's. */
export async function checkServer(channel: Channel, isLocal: boolean): Promise<Check[]> {
  const server = await channel.row(serverVersion, selectVersion);
  const names = [...readOnlyNames, ...otherNames];
  const variables = new Map(await channel.rows(serverVariable, showVariables, [names]));
  return [
    versionCheck(server.version),
    readOnlyCheck(variables),
    packetCheck(server.packetBytes),
    isolationCheck(variables),
    durabilityCheck(variables),
    ...(isLocal ? [] : [await encryptionCheck(channel)]),
  ];
}

/** How far this machine's clock is from the database's, which alone says what is due. */
export async function checkClock(channel: Channel): Promise<Check> {
  const beforeMs = Date.now();
  const startMs = performance.now();
  const nowMs = await channel.row(only(decimal), selectNow);
  const tookMs = performance.now() - startMs;
  const offsetMs = nowMs - (beforeMs + tookMs / 2);
  const shown = `${Math.abs(offsetMs).toFixed(0)} ms ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
  const message = `the database is ${shown} this machine (answered in ${tookMs.toFixed(0)} ms)`;
  const hint = "Jobs start by the database's clock; let NTP set both.";
  return checkOf('clock', !isClockOff(offsetMs, tookMs), message, hint, 'warn');
}

/** What a server calls itself is a hint: whether it will do, the check `engine` finds out. */
function versionCheck(version: string): Check {
  const numbers = /(\d+)\.(\d+)\.(\d+)/.exec(version.replace(/^5\.5\.5-/, ''));
  const [major = 0, minor = 0, patch = 0] = (numbers ?? []).slice(1).map(Number);
  const isMariadb = /mariadb/i.test(version);
  const isEnough = isMariadb
    ? major > 10 || (major === 10 && minor >= 6)
    : major > 8 || (major === 8 && (minor > 0 || patch >= 1));
  const hint = 'MariaDB 10.6 or MySQL 8.0.1, or later, is needed (SKIP LOCKED).';
  // MariaDB says its name itself, behind its number.
  const shown = isMariadb ? version.replace(/^5\.5\.5-/, '') : `MySQL ${version}`;
  return checkOf('server', isEnough, shown, hint, 'warn');
}

function readOnlyCheck(variables: ReadonlyMap<string, string>): Check {
  // MariaDB 12 knows more words than ON: all but OFF and 0 refuse writes.
  const set = readOnlyNames.filter(
    (name) => !['OFF', '0', undefined].includes(variables.get(name)),
  );
  const isWritable = set.length === 0;
  const message = isWritable ? 'it takes writes' : `${set.join(' and ')} is on`;
  const hint = 'Give the URL of the primary, or of all members: HOST1,HOST2.';
  return checkOf('writable', isWritable, message, hint);
}

function packetCheck(bytes: number): Check {
  const mebibytes = bytes / 1024 / 1024;
  const message = `max_allowed_packet is ${mebibytes} MiB`;
  const hint = 'Set max_allowed_packet to 16 MiB or more: outputs go in one.';
  return checkOf('packets', mebibytes >= 16, message, hint, mebibytes < 4 ? 'fail' : 'warn');
}

function isolationCheck(variables: ReadonlyMap<string, string>): Check {
  const isolation =
    variables.get('transaction_isolation') ?? variables.get('tx_isolation') ?? 'unknown';
  const hint = 'Something between us and the server (a proxy?) drops SET SESSION.';
  const message = `${isolation} on our connections`;
  return checkOf('isolation', isolation === 'READ-COMMITTED', message, hint);
}

/** With these off a crash of the database's machine takes acknowledged commits back. */
function durabilityCheck(variables: ReadonlyMap<string, string>): Check {
  const flush = variables.get('innodb_flush_log_at_trx_commit') ?? '1';
  const message = `innodb_flush_log_at_trx_commit is ${flush}`;
  const hint = 'With 1 a crash of its machine takes no acknowledged commit back.';
  return checkOf('durability', flush === '1' || flush === '3', message, hint, 'warn');
}

async function encryptionCheck(channel: Channel): Promise<Check> {
  const [[, cipher] = ['', '']] = await channel.rows(serverVariable, showCipher);
  const isEncrypted = cipher !== '';
  const message = isEncrypted ? `the connection uses ${cipher}` : 'the connection is not encrypted';
  const hint =
    'Beyond one machine add ?ssl=identity&sslCa=FILE to the URL: statecron docs production';
  return checkOf('encryption', isEncrypted, message, hint, 'warn');
}

const readOnlyNames = ['read_only', 'super_read_only', 'innodb_read_only'];
const otherNames = ['tx_isolation', 'transaction_isolation', 'innodb_flush_log_at_trx_commit'];
const serverVersion = rowOf({ version: text, packetBytes: integer });
const selectVersion = `/* checkServer */ SELECT VERSION() AS version,
    @@max_allowed_packet AS packet_bytes`;
const showVariables = '/* checkServer variables */ SHOW VARIABLES WHERE Variable_name IN (?)';
const showCipher = "/* checkServer cipher */ SHOW SESSION STATUS LIKE 'Ssl_cipher'";
const selectNow = '/* checkClock */ SELECT UNIX_TIMESTAMP(NOW(6)) * 1000 AS now_ms';
