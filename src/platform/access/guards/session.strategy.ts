import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import passport from 'passport';
import { SessionCookie, SessionsService } from '../../accounts/index.js';

/** Authenticates Session routes by the session cookie, and sets the cookie again when its session is extended. */
@Injectable()
export class SessionStrategy extends passport.Strategy {
  override readonly name = 'session-cookie';

  constructor(
    // Public, since Passport's type of `this` in `authenticate` has no private members.
    readonly sessions: SessionsService,
    readonly cookie: SessionCookie,
  ) {
    super();
  }

  override authenticate(this: passport.StrategyCreated<this>, request: Request & { res: Response }): void {
    this.sessions.find(this.cookie.read(request)).then(
      (session) => {
        if (session === null) return this.fail();
        const { secret, extendedForMs } = session;
        if (extendedForMs !== null) this.cookie.set(request.res, secret, extendedForMs);
        this.success(session.caller);
      },
      (failure: unknown) => this.error(failure),
    );
  }
}
