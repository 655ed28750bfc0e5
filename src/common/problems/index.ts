export * from './problem.js';
export * from './common.problems.js';
export * from './throws.decorator.js';
