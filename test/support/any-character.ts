import fc from 'fast-check';

/**
 * Any character of Unicode, as the `unit` of `fc.string`. The unit `binary` of fast-check is the same, but first makes a table of all
 * million of them, in each spec file.
 */
export const ANY_CHARACTER = fc
  .oneof(fc.integer({ min: 0, max: 0xd7_ff }), fc.integer({ min: 0xe0_00, max: 0x10_ff_ff }))
  .map((code) => String.fromCodePoint(code));
