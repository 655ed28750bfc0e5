import { Reflector } from '@nestjs/core';
import type { ProblemClass } from './problem.js';

const THROWS = 'pierhead:throws';

type Declared = readonly Pick<ProblemClass, 'spec'>[];

/** Says which problems a route can answer with; OpenAPI and the tests hold the route to it. Adds up over decorators. */
export const Throws =
  (...problems: Declared): MethodDecorator =>
  (_target, _name, descriptor: PropertyDescriptor) => {
    const known = (Reflect.getMetadata(THROWS, descriptor.value) as Declared | undefined) ?? [];
    Reflect.defineMetadata(THROWS, [...known, ...problems], descriptor.value);
  };

/** The problems declared on a handler. */
export const problemsOf = (reflector: Reflector, handler: (...args: never[]) => unknown): Declared =>
  reflector.get<Declared | undefined>(THROWS, handler) ?? [];
