import type { BrowserContext } from 'playwright-core';

/** Of each token: a node takes only so many logins of one address in a while. */
const cookies = new Map<string, ReturnType<BrowserContext['cookies']>>();

/** Logs a browser in by the cookie, as the page does. */
export async function logIn(context: BrowserContext, origin: string, token: string): Promise<void> {
  const made = cookies.get(token) ?? cookieOf(context, origin, token);
  cookies.set(token, made);
  await context.addCookies(await made);
  await context.addInitScript("localStorage.setItem('statecron.login', 'yes')");
}

async function cookieOf(context: BrowserContext, origin: string, token: string) {
  const answer = await context.request.post(`${origin}/api/v1/login`, {
    ...{ data: { token }, headers: { origin } },
  });
  if (!answer.ok()) throw new Error(await answer.text());
  return await context.cookies(origin);
}
