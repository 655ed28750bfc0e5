import type { INestApplicationContext } from '@nestjs/common';
import { actAs } from '../../src/common/access/index.js';
import { Transactions } from '../../src/common/database/index.js';
import { AccessTokensService } from '../../src/platform/access/index.js';
import { AccountsService, SessionsService } from '../../src/platform/accounts/index.js';
import { hashPassword } from '../../src/platform/accounts/passwords/password-hash.js';
import { AuthService } from '../../src/platform/sign-in/index.js';
import { PASSWORD, type SignUp } from './given.js';

/** Hashing a password takes longer than all the rest. */
let passwordHash: Promise<string> | undefined;

/** Signs people up as the service does, but for what HTTP, the rating of a password and its hash take. */
export const signUpIn =
  (app: INestApplicationContext): SignUp =>
  async (email) => {
    const hash = await (passwordHash ??= hashPassword(PASSWORD));
    const me = await app.get(Transactions).run(() =>
      // The door of sign-up lies in front of this.
      app.get(AccountsService)['addUserWithTenant']({ email, passwordHash: hash, emailVerifiedAt: null }, 'Author'),
    );
    const { secret } = await app.get(AuthService).begin(me.user.id);
    const session = await app.get(SessionsService).find(secret);
    if (session === null) throw new Error('A new session is found');
    const { caller } = session;
    const create = () => app.get(AccessTokensService).create(caller, { name: 'CI', scopes: ['*'] });
    const { token } = await actAs(caller.actor, create);
    return { tenantId: me.tenant.id, userId: me.user.id, cookie: `svc_session=${secret}`, token };
  };
