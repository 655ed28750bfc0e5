/** A draft without some of its fields. */
export const without = <Draft extends object>(draft: Draft, names: readonly (keyof Draft)[]): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([name]) => !names.includes(name as keyof Draft))) as Draft;
