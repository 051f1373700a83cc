import fc from 'fast-check';

/** A field as text and as the numbers it names, told without the reader. */
export interface Field {
  readonly text: string;
  readonly values: readonly number[];
}

/** Stars, steps, lists and whole ranges: what tells an interval from a fixed time. */
export function field(min: number, max: number): fc.Arbitrary<Field> {
  const all = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({ text: '*', values: all }) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 2, max: max - 1 }).map((step) => ({
        text: `*/${step}`,
        values: all.filter((_, index) => index % step === 0),
      })),
    },
    { weight: 1, arbitrary: fc.constant({ text: `${min}-${max}`, values: all }) },
    {
      weight: 4,
      arbitrary: fc
        .uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 })
        .map((values) => ({ text: values.join(','), values })),
    },
  );
}
