import type { Schemas } from '../api/schemas';
import { counted, number } from './format';

/** 1,204, or 10,000+; with a word, 1 license, 1,204 licenses, or 10,000+ licenses. */
export function upTo({ count, isMore }: Schemas['ListCount'], one?: string): string {
  const counts = `${number(count)}${isMore ? '+' : ''}`;
  if (one === undefined) return counts;
  return isMore ? `${counts} ${one}s` : counted(count, one);
}
