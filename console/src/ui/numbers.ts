/**
 * The whole number that a person typed. Anything else becomes 0, which the service refuses: JSON makes `null` of what is no number, and that
 * often means "all".
 */
export const wholeNumberIn = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0);

/** A percentage that a person typed, such as `20`, `20%` or `20 %`; 0 for anything else, as above. */
export const percentIn = (text: string): number => wholeNumberIn(text.replace(/\s*%\s*$/, ''));
