import type { ApiDocument } from './apiDocument.ts';

/** What a document says of one method of a path. */
export type Operation = NonNullable<NonNullable<ApiDocument['paths']>[string]['get']>;

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of a document, in its order. */
export function operationsOf({ paths = {} }: ApiDocument): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method, path, operation }];
    }),
  );
}
