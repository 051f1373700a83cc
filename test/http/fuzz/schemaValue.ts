import fc from 'fast-check';
import type { ApiDescription, Schema } from '../world/openApiDocument.ts';
import { knownValue } from './knownValues.ts';

/** How often a value that a word usually has stands where any of the schema would be right. */
const knownWeight = 6;
/** Longer texts are the business of those who spoil a request. */
const charactersMax = 40;

/** Values that a schema takes; `word`: the name of the field that they are for. */
export function schemaValue(
  given: Schema,
  description: ApiDescription,
  word: string,
  isQuery = false,
): fc.Arbitrary<unknown> {
  const any = anyValue(description.resolve(given), description, word, isQuery);
  const known = knownValue(word, isQuery);
  if (known === undefined) return any;
  return fc.oneof({ weight: knownWeight, arbitrary: known }, { weight: 1, arbitrary: any });
}

function anyValue(
  schema: Schema,
  description: ApiDescription,
  word: string,
  isQuery: boolean,
): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (choices !== undefined && choices.length > 0) {
    return fc.oneof(...choices.map((each) => schemaValue(each, description, word, isQuery)));
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return fc.oneof(...types.map((type) => ofType(type, schema, description, word)));
}

function ofType(
  type: string,
  schema: Schema,
  description: ApiDescription,
  word: string,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectValue(schema, description);
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema;
      const items = schemaValue(schema.items ?? {}, description, word);
      return fc.array(items, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) });
    }
    case 'integer': {
      const { minimum = -1_000 } = schema;
      const { maximum = Math.max(1_000, minimum) } = schema;
      return fc.oneof(
        { withCrossShrink: true },
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 100) }),
        // Which prefers the ends of its range, and, unlike a constant, can be shrunk.
        fc.integer({ min: minimum, max: maximum }),
      );
    }
    case 'number':
      return fc.double({ noNaN: true, min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return textValue(schema);
  }
}

function objectValue(schema: Schema, description: ApiDescription): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {};
    const keys = fc.constantFrom('A', 'PATH', 'a b', 'toString', 'ÄÖ', '');
    return fc.dictionary(keys, schemaValue(value, description, ''), { maxKeys: 3 });
  }
  const values = Object.fromEntries(
    names.map((name) => [name, schemaValue(properties[name] ?? {}, description, name)]),
  );
  // Each of what may be left out is left out mostly: else every request would have a fault.
  const optional = names.filter((name) => !required.includes(name));
  const needed = names.filter((name) => required.includes(name));
  return fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((chosen) => {
    const all = [...needed, ...chosen].map((name) => [name, values[name]] as const);
    return fc.record(Object.fromEntries(all) as Record<string, fc.Arbitrary<unknown>>);
  });
}

function textValue({ minLength = 0, maxLength = charactersMax, pattern, format }: Schema) {
  if (format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  const most = Math.max(minLength, Math.min(maxLength, charactersMax));
  if (pattern === undefined) return fc.string({ unit: 'binary', minLength, maxLength: most });
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
}
