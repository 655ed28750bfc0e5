import { Reflector } from '@nestjs/core';
import type { ProblemClass } from './problem.js';

const THROWS = 'pierhead:throws';

type Declared = readonly Pick<ProblemClass, 'spec'>[];

/** Declares the problems that a route answers with, for OpenAPI and the tests. Several decorators add up. */
export const Throws =
  (...problems: Declared): MethodDecorator =>
  (_target, _name, descriptor: PropertyDescriptor) => {
    const known = (Reflect.getMetadata(THROWS, descriptor.value) as Declared | undefined) ?? [];
    Reflect.defineMetadata(THROWS, [...known, ...problems], descriptor.value);
  };

/** Returns the problems declared on a handler. */
export const problemsOf = (reflector: Reflector, handler: (...args: never[]) => unknown): Declared =>
  reflector.get<Declared | undefined>(THROWS, handler) ?? [];
