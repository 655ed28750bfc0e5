import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const CROSS_ORIGIN = 'pierhead:cross-origin';

/** Lets pages of any origin call the route, without cookies. For installed extensions, whose origin differs per install. */
export const CrossOrigin = (): MethodDecorator => SetMetadata(CROSS_ORIGIN, true);

/** Whether a route has `@CrossOrigin()`. */
export const isCrossOrigin = (reflector: Reflector, handler: Parameters<Reflector['get']>[1]): boolean =>
  reflector.get<boolean | undefined>(CROSS_ORIGIN, handler) ?? false;
