import { type RouteConfig, z } from '@hono/zod-openapi';
import type { Role } from '../../domain/access/role.ts';
import { revisionMax } from '../../domain/job/jobDefinition.ts';
import { muteKinds } from '../../domain/notifications/mute.ts';
import { nameText, runIdText, wholeNumber } from '../schemas/textSchemas.ts';

/**
 * One route of the API as data: the server's registration and the OpenAPI document are made of it,
 * and the types of the server's handler, of the client's call and of `--json` are derived from it.
 */
export interface RouteContract {
  /** What generated clients call it. */
  readonly id: string;
  readonly role: Role | 'anyone';
  /** `cluster`: it is about all groups, so that a token for some of them is refused. */
  readonly scope?: 'cluster';
  /** What is kept of the answer for repeats of the request: see `needs` of authentication/api.ts */
  readonly kept?: 'secret' | 'look';
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** A body that its handler reads by itself, by media types. */
  readonly file?: NonNullable<NonNullable<RouteConfig['request']>['body']>;
  readonly isBodyOptional?: boolean;
  /** Of a good answer (200). */
  readonly status?: 200 | 201 | 202 | 204;
  /** What a good answer says. */
  readonly answers: string;
  /** A good answer in JSON. */
  readonly answer?: z.ZodType;
  /** Other media types of a good answer; its handler makes the response. */
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
  /** Answers of other statuses that are no problems. */
  readonly otherAnswers?: RouteConfig['responses'];
  /** It is not in the document. */
  readonly isHidden?: boolean;
}

/** Routes by method and path: `GET /jobs/{job}`. */
export type Contract = Readonly<Record<`${Uppercase<string>} /${string}`, RouteContract>>;

/** Schema's value as it is shown: nothing of it is changed. */
export type Shown<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

/** A value that nothing is changed of. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** The answer of a route. */
export type AnswerOf<Route> = Route extends { readonly answer: infer Schema extends z.ZodType }
  ? Shown<Schema>
  : never;

/** The names in a path. */
export type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What a path names, as its handler gets it. */
export type PathInput<Path> = {
  readonly [Name in NamesIn<Path> & keyof typeof pathParameters]: z.output<
    (typeof pathParameters)[Name]
  >;
};

/** A part of a request that the route declares, before or after it is read. */
export type PartOf<Route, Part extends string, Io extends 'input' | 'output'> = Route extends {
  readonly [Name in Part]: infer Schema extends z.ZodType;
}
  ? { input: z.input<Schema>; output: z.output<Schema> }[Io]
  : unknown;

/** What stands in paths, by its name there. */
export const pathParameters = {
  asset: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'the name of a file is wanted')
    .openapi({ param: { name: 'asset', in: 'path' } }),
  group: nameText.openapi({
    param: { name: 'group', in: 'path' },
    description: 'The name of the group.',
  }),
  job: nameText.openapi({
    param: { name: 'job', in: 'path' },
    description: 'The name of the job.',
  }),
  kind: z.enum(muteKinds).openapi({
    param: { name: 'kind', in: 'path' },
    description: 'What the name is of; `group`: a group of jobs.',
  }),
  machine: z
    .string()
    .regex(/^[A-Za-z][0-9A-Za-z-]{0,63}$/, 'the id of a machine is wanted')
    .openapi({
      param: { name: 'machine', in: 'path' },
      description: 'The id of the statechart, for example `slot`.',
    }),
  name: nameText.openapi({
    param: { name: 'name', in: 'path' },
    description: 'The name of the job, the group or the target.',
  }),
  node: nameText.openapi({
    param: { name: 'node', in: 'path' },
    description: 'The name of the node.',
  }),
  page: z
    .string()
    .regex(/^[\w-]{1,64}(?:\.(?:svg|png))?$/, 'the name of a page is wanted')
    .openapi({ param: { name: 'page', in: 'path' } }),
  revision: wholeNumber(1, revisionMax).openapi({
    param: { name: 'revision', in: 'path' },
    description: 'The number of the revision.',
  }),
  run: runIdText.openapi({
    param: { name: 'run', in: 'path' },
    description:
      'The launch id, also shortened (s0f3a2c:18), the request id, or the number of the run in ' +
      'the history.',
  }),
  target: nameText.openapi({
    param: { name: 'target', in: 'path' },
    description: 'The name of the notification target.',
  }),
  token: nameText.openapi({
    param: { name: 'token', in: 'path' },
    description: 'The name or the id.',
  }),
};
