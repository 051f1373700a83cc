import type { Context, MiddlewareHandler } from 'hono';
import type { ChangedBy, KeyClaim } from '../../domain/access/changedBy.ts';
import { isRoleEnough } from '../../domain/access/role.ts';
import { storeOperator } from '../../store/operator/operator.ts';
import type { TokenHolder } from '../../store/tokens/findHolder.ts';
import type { ApiEnv, ApiVariables, Needs } from '../authentication/api.ts';
import {
  type Admission,
  type Credentials,
  unauthenticated,
} from '../authentication/authenticator.ts';
import { checkOrigin, checkSite, credentialsOf, isSafe } from '../authentication/credentials.ts';
import { holderOfPerson } from '../authentication/personRights.ts';
import { roleForbidden } from '../problems/refusals.ts';
import { tooManyRequests } from '../problems/retryLater.ts';
import { apiOperator } from '../views/apiOperator.ts';
import type { GuardParts } from './guardParts.ts';

/** What the guard keeps of a request, beside what handlers see. */
export interface GuardEnv {
  Variables: ApiVariables & { holder: TokenHolder; keyClaim: KeyClaim | undefined };
}

/**
 * Lets a request through to the route that was matched when its caller may do what that very route
 * needs, and gives the handler what it works with. Nothing is decided by the text of the path.
 * @throws OperatorError `unauthenticated`, `too_many_failures`, `role_forbidden`,
 * `origin_forbidden`.
 */
export function authorize(role: Needs['x-role'], parts: GuardParts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (role === 'anyone') {
      c.set('withChannel', (work) => parts.pool.use(null, work));
      return next();
    }
    const holder = await authenticate(c, parts);
    if (!isRoleEnough(holder.role, role)) {
      const { person } = c.var.client;
      const has = person === null ? 'the token has' : 'you have';
      const message = `This request needs the role ${role}; ${has} the role ${holder.role}.`;
      throw roleForbidden(message, role, person);
    }
    giveTools(c, holder, parts);
    return next();
  };
}

/**
 * Bounds how many changes one token may request: each leaves rows behind that stay for days.
 * @throws RetryLater `too_many_requests`.
 */
export function limitChanges({ changes }: GuardParts): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { tokenId } = (c as unknown as Context<GuardEnv>).get('holder');
    const waitMs = changes.take(tokenId);
    if (waitMs > 0) throw tooManyRequests('This token requests too many changes.', waitMs);
    await next();
  };
}

/**
 * Who sends the request. Whom a trusted proxy names counts before everything else that came: the
 * browser may have the cookie of an earlier login, and proxies pass on tokens that are not ours.
 * @throws OperatorError `unauthenticated`, `too_many_failures`, `origin_forbidden`,
 * `person_forbidden`.
 */
export async function authenticate(c: Context<ApiEnv>, parts: GuardParts): Promise<TokenHolder> {
  const { address, person } = c.var.client;
  const { origins, proxy } = parts.settings;
  if (person !== null && proxy?.people) {
    checkSite(c, origins);
    return holderOfPerson(person, proxy.people);
  }
  const credentials = requireCredentials(c);
  if (credentials.kind === 'cookie' && !isSafe(c.req.method)) {
    checkOrigin(c, origins);
  }
  return parts.authenticator.check(credentials, address);
}

/** @throws OperatorError `unauthenticated` without any. */
function requireCredentials(c: Context<ApiEnv>): Credentials {
  const credentials = credentialsOf(c);
  if (credentials === null) throw unauthenticated('This request needs a token.');
  return credentials;
}

function giveTools(context: Context<ApiEnv>, holder: TokenHolder, parts: GuardParts): void {
  const { authenticator, calculator, pool, streams } = parts;
  const c = context as unknown as Context<GuardEnv>;
  const { groups, name, role, tokenId } = holder;
  const by = (): ChangedBy => {
    const keyClaim = c.get('keyClaim');
    const claim = keyClaim === undefined ? {} : { keyClaim };
    const { address, person } = c.var.client;
    const requestId = c.get('requestId');
    const via = person === null ? 'api' : 'proxy';
    return { actor: name, via, requestId, address, groups, ...claim };
  };
  c.set('holder', holder);
  c.set('caller', { name, role, groups });
  c.set('calculate', (name, input) => calculator.run(tokenId, name, input));
  c.set('holdStream', () => streams.take(tokenId));
  c.set('admission', () =>
    c.var.client.person === null
      ? authenticator.admit(requireCredentials(context), holder)
      : admissionOf(holder),
  );
  c.set('withChannel', (work) => pool.use(by(), work, tokenId));
  c.set('operate', (work) =>
    pool.use(by(), (channel) => work(apiOperator(storeOperator(channel), holder)), tokenId),
  );
}

/** Streams end after some minutes: whom the proxy lets in no longer cannot open the next one. */
function admissionOf({ tokenId }: TokenHolder): Admission {
  return { digest: tokenId, tokenId, isInForce: async () => true };
}
