import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { accessOf, callerOf } from '../../../common/access/index.js';
import { SecondFactorsService } from './second-factors.service.js';

/** Asks for the second factor where a route's access decorator says so. Runs after AccessGuard, which finds the caller. */
@Injectable()
export class SecondFactorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = accessOf(this.reflector, context.getHandler());
    if (access === undefined || !('secondFactor' in access) || access.secondFactor !== true) return true;
    const { userId, sessionId } = callerOf(context);
    if (userId === null || sessionId === null) return true;
    return this.secondFactors.enforceShown(userId, sessionId).then(() => true);
  }
}
