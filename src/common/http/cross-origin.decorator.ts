import { SetMetadata } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';

const CROSS_ORIGIN = 'pierhead:cross-origin';

/** Installed extensions call this route: any origin may, without cookies, since the origin of an extension is random per install. */
export const CrossOrigin = (): MethodDecorator => SetMetadata(CROSS_ORIGIN, true);

export const isCrossOrigin = (reflector: Reflector, handler: Parameters<Reflector['get']>[1]): boolean =>
  reflector.get<boolean | undefined>(CROSS_ORIGIN, handler) ?? false;

