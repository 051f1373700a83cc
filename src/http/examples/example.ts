import type { z } from '@hono/zod-openapi';
import type { Contract, Shown } from '../contract/routeContract.ts';

/** A request to a route, and what it is answered: shown in the document of the API. */
export interface Example {
  /** What the route's path is filled in with, and its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body as it is, by its media type. */
  readonly file?: string;
  /** The words of a shell that send the body, when it holds what nobody should see. */
  readonly bodyArgument?: string;
  readonly answer?: unknown;
  /** It is answered bit by bit. */
  readonly isStream?: boolean;
  /** An answer that is no JSON; of a long one the beginning. */
  readonly text?: string;
}

/** An example of each route of a contract; answers are of the types that its schemas have. */
export type Examples<Routes extends Contract> = {
  readonly [Key in keyof Routes]: Example & BodyOf<Routes[Key]> & AnswerOf<Routes[Key]>;
};

type Fields = Readonly<Record<string, unknown>>;

type BodyOf<Route> = Route extends { readonly body: z.ZodType }
  ? Route extends { readonly isBodyOptional: true }
    ? { readonly body?: Fields }
    : { readonly body: Fields }
  : Route extends { readonly file: unknown }
    ? { readonly file: string }
    : { readonly body?: never };

type AnswerOf<Route> = Route extends { readonly answer: infer Schema extends z.ZodType }
  ? { readonly answer: Shown<Schema> }
  : Route extends { readonly content: unknown }
    ? { readonly text: string }
    : { readonly answer?: never };
