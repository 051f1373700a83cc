import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databaseFault } from '../../../src/store/connection/databaseFault.ts';

/** Errors as the driver gives them at a connection that is not made. */
const faults = [
  { code: 'EAI_AGAIN', errno: -3_001, syscall: 'getaddrinfo', is: ['database_away', 69] },
  { code: 'ENOTFOUND', errno: -3_008, syscall: 'getaddrinfo', is: ['database_away', 69] },
  { code: 'ETIMEDOUT', errno: undefined, is: ['database_away', 69] },
  { code: 'ER_HOST_IS_BLOCKED', errno: 1_129, is: ['database_away', 69] },
  { code: 'ER_CON_COUNT_ERROR', errno: 1_040, is: ['database_crowded', 69] },
  { code: 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', errno: 1_698, is: ['database_denied', 78] },
  { code: 'ER_HOST_NOT_PRIVILEGED', errno: 1_130, is: ['database_denied', 78] },
  { code: 'ER_PARSE_ERROR', errno: 1_064, is: undefined },
  { code: 'ER_SOMETHING_NEW', errno: 4_000, is: undefined },
  { code: 'ENOENT', errno: -2, syscall: 'connect', is: ['database_away', 69] },
  { code: 'ENOENT', errno: -2, syscall: 'open', is: undefined },
  { code: 'ERR_MODULE_NOT_FOUND', errno: undefined, is: undefined },
];

test('what passes is told as passing (69), and a mistake of ours as none of the database', () => {
  for (const { is, ...error } of faults) {
    const fault = databaseFault(Object.assign(new Error(error.code), error));
    assert.deepEqual(fault ? [fault.code, fault.exitCode] : undefined, is, error.code);
  }
});

test('who is denied hears what was given: no password, or the name of a database', () => {
  const hintOf = (errno: number, message: string) =>
    databaseFault(Object.assign(new Error(message), { code: 'ER_ACCESS_DENIED_ERROR', errno }))
      ?.hint;
  const user = "Access denied for user 'cron'@'%'";
  const none = /^No password was given: .*STATECRON_DATABASE_PASSWORD_FILE.* the URL/;
  assert.match(hintOf(1_045, `${user} (using password: NO)`) ?? '', none);
  assert.doesNotMatch(hintOf(1_045, `${user} (using password: YES)`) ?? '', none);
  const named = /^The URL names the database "shop": /;
  assert.match(hintOf(1_044, `${user} to database 'shop'`) ?? '', named);
});

test('a refused login and a missing right are told apart', () => {
  const said = (errno: number, message: string) => {
    const fault = databaseFault(Object.assign(new Error(message), { code: 'ER_X', errno }));
    return `${fault?.message} ${fault?.hint}`;
  };
  const user = "'statecron'@'localhost'";
  const login = said(1_045, `Access denied for user ${user} (using password: YES)`);
  assert.match(login, /^The database refused the login: Access denied/);
  const others = "An account for localhost alone, or an anonymous one (''@'localhost'), is taken";
  assert.ok(login.includes(others), login);
  assert.ok(login.includes("before 'statecron'@'%': see SELECT user, host FROM mysql.user"), login);
  assert.match(said(1_130, "Host 'web1' is not allowed to connect"), /^The database refused the l/);
  const right = said(1_142, `INSERT command denied to user ${user} for table 'job'`);
  assert.match(right, /^This account lacks a right on the database: INSERT .* statecron doctor/);
  assert.match(
    said(1_044, `Access denied for user ${user} to database 'shop'`),
    /^This account la/,
  );
});
