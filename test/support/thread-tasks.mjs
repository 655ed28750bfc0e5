// Tasks for the worker thread under test.
import { setTimeout as pause } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

export const thread = async () => threadId;
export const settings = async () => Object.keys(process.env).length;
export const twice = async (number) => 2 * number;
export const sleep = (ms) => pause(ms, ms);
export const faulty = async () => {
  throw new Error('out of order');
};
export const endless = async () => {
  for (;;);
};
export const greedy = async () => {
  const kept = [];
  for (let at = 0; ; at += 1) kept.push({ at, text: `x${at}` });
};
