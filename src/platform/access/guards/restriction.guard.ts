import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { callerOf, subjectOf, type NamedSubject } from '../../../common/access/index.js';
import { Transactions } from '../../../common/database/index.js';
import { NIL_ID, uuidOrNil } from '../../../common/fields/index.js';
import { TokenRestricted } from '../../../common/problems/index.js';

/**
 * Keeps tokens that are restricted to extensions from everything else: it replaces ids of other extensions in the request by an id that does
 * not exist, so that the route answers exactly as for an unknown one. Runs after the body has been read.
 */
@Injectable()
export class RestrictionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tx: Transactions,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const subject = subjectOf(this.reflector, context.getHandler());
    if (subject === undefined || subject === 'filtered') return true;
    const { extensionIds } = callerOf(context);
    if (extensionIds === null) return true;
    if (subject === 'tenant') throw new TokenRestricted();
    return this.hideOthers(context.switchToHttp().getRequest(), subject, extensionIds).then(() => true);
  }

  private async hideOthers(request: Request, subject: NamedSubject, allowed: readonly string[]): Promise<void> {
    const named = NAMED[subject.in](request);
    const given = named?.[subject.name];
    // Without the extension, the route would list everything.
    if (subject.in === 'query' && given === undefined) throw new TokenRestricted();
    if (named === undefined || given === undefined) return;
    if (!allowed.includes(await this.extensionOf(subject, uuidOrNil(given)))) named[subject.name] = NIL_ID;
  }

  private async extensionOf({ entity }: NamedSubject, id: string): Promise<string> {
    if (entity === undefined) return id;
    const found = await this.tx.repository(entity).findOne({ select: { extensionId: true }, where: { id } });
    return found?.extensionId ?? NIL_ID;
  }
}

type Members = Record<string, unknown>;

/** The members of a request, so that they can be changed. */
const NAMED: Readonly<Record<NamedSubject['in'], (request: Request) => Members | undefined>> = {
  path: ({ params }) => params,
  query: (request) => {
    // Express parses the query each time it is read.
    const query: Members = { ...request.query };
    Object.defineProperty(request, 'query', { value: query });
    return query;
  },
  body: ({ body }) => (typeof body === 'object' && body !== null ? (body as Members) : undefined),
};
