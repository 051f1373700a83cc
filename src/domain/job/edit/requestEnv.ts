import { fieldFault } from '../fieldFault.ts';
import { type JobDefinition, jobDefaults } from '../jobDefinition.ts';
import { requireNoFault } from './buildDefinition.ts';
import { mergeVariables } from './mergeVariables.ts';

/**
 * Variables for one run, from `NAME=value`, checked as a job's own are.
 * @throws FieldError (2) that names the variable at fault.
 */
export function requestEnv(pairs: readonly string[]): JobDefinition['env'] {
  return checkedEnv(mergeVariables({ env: {} }, { env: pairs }).env);
}

/** The same for variables that have been split from their values already. */
export function checkedEnv(env: JobDefinition['env']): JobDefinition['env'] {
  const schedule = '@manual';
  requireNoFault({ ...jobDefaults, name: 'request', command: 'true', schedule, env });
  const taken = Object.keys(env).find((name) => redirecting.test(name));
  if (taken !== undefined) {
    throw fieldFault('env', `: ${taken} decides what the command's programs are.`, {
      code: 'bad_env',
      hint: 'Such a variable is part of what the job is: set it in the job.',
    });
  }
  return env;
}

/**
 * By these the loader, bash, or an interpreter executes something else than the command says, which
 * is for a revision of the job to say, where everybody sees it (CVE-2026-85076 of another
 * scheduler). Those of bash's own functions have names that no variable of ours may have.
 */
const redirecting = new RegExp(
  `^(${[
    '(LD|BASH|DYLD)_.*',
    'ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS|PATH',
    'NODE_(OPTIONS|PATH)',
    'PERL5.*|PERLLIB',
    'PYTHON(PATH|STARTUP|HOME)',
    'RUBY(OPT|LIB)',
    '(JAVA_TOOL|JDK_JAVA|_JAVA)_OPTIONS',
    'GIT_(SSH|SSH_COMMAND|EXEC_PATH|CONFIG.*|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS)',
    'LUA_(INIT|PATH|CPATH).*',
    'GCONV_PATH|OPENSSL_(CONF|MODULES|ENGINES)',
  ].join('|')})$`,
);
