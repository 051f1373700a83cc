/**
 * Module hooks: whoever in openapi-typescript imports `typescript` gets one that has the JavaScript
 * API which version 7 has no more, as ts-morph brings it along.
 */
export function resolve(specifier, context, next) {
  const isMeant = context.parentURL?.includes('/node_modules/openapi-typescript/');
  if (specifier !== 'typescript' || !isMeant) return next(specifier, context);
  return { url: new URL('./oldTypescript.mjs', import.meta.url).href, shortCircuit: true };
}
