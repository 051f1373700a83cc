import type { Context, MiddlewareHandler } from 'hono';
import type { ChangedBy, KeyClaim } from '../../domain/access/changedBy.ts';
import { isRoleEnough } from '../../domain/access/role.ts';
import { storeOperator } from '../../store/operator/operator.ts';
import type { TokenHolder } from '../../store/tokens/findHolder.ts';
import type { ApiEnv, ApiVariables, Needs } from '../authentication/api.ts';
import { type Credentials, unauthenticated } from '../authentication/authenticator.ts';
import { checkOrigin, connectionOf, credentialsOf, isSafe } from '../authentication/credentials.ts';
import { refusal } from '../problems/refusals.ts';
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
      throw refusal(
        'role_forbidden',
        `This request needs the role ${role}; the token has the role ${holder.role}.`,
      );
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
 * Who sends the request.
 * @throws OperatorError `unauthenticated`, `too_many_failures`, `origin_forbidden`.
 */
export async function authenticate(c: Context<ApiEnv>, parts: GuardParts): Promise<TokenHolder> {
  const credentials = requireCredentials(c);
  if (credentials.kind === 'cookie' && !isSafe(c.req.method)) {
    checkOrigin(c, parts.settings.origins);
  }
  return parts.authenticator.check(credentials, connectionOf(c).address);
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
    const { address } = connectionOf(c);
    const requestId = c.get('requestId');
    return { actor: name, via: 'api', requestId, address, groups, ...claim };
  };
  c.set('holder', holder);
  c.set('caller', { name, role, groups });
  c.set('calculate', (name, input) => calculator.run(tokenId, name, input));
  c.set('holdStream', () => streams.take(tokenId));
  c.set('admission', () => authenticator.admit(requireCredentials(context), holder));
  c.set('withChannel', (work) => pool.use(by(), work, tokenId));
  c.set('operate', (work) =>
    pool.use(by(), (channel) => work(apiOperator(storeOperator(channel), holder)), tokenId),
  );
}
