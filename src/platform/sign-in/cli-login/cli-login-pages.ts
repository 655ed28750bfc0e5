import { type Html, markup, EMPTY_HTML, page } from '../../../common/http/index.js';
import { type Me, PASSWORD_MAX } from '../../accounts/index.js';
import type { SignInMethods } from '../oidc/oidc.dto.js';

const TITLE = 'Log in from a terminal';

const alert = (fault: string | undefined): Html =>
  fault === undefined ? EMPTY_HTML : markup`<p role="alert">${fault}</p>`;

/** Asks for the code that the program shows. @param home the path of the page, as browsers see it */
export const codePage = (home: string, fault?: string): string =>
  page(
    TITLE,
    markup`${alert(fault)}
      <form method="get" action="${home}">
        <label for="code">The code that your terminal shows</label>
        <input id="code" name="code" autocomplete="off" autocapitalize="characters" required maxlength="64" />
        <button>Continue</button>
      </form>`,
  );

/** Content of the page for signing in. */
export interface SignInQuestion {
  readonly userCode: string;
  readonly ways: SignInMethods;
  /** Address at which the identity provider is asked; it sends the browser back to this page. */
  readonly oidcUrl: string;
  readonly email?: string;
  readonly fault?: string;
}

/** Asks who the person is, in every way that the service offers. */
export const signInPage = (home: string, { userCode, ways, oidcUrl, email = '', fault }: SignInQuestion): string =>
  page(
    'Sign in to Pierhead',
    markup`${alert(fault)}
      ${ways.password ? passwordForm(home, userCode, email) : EMPTY_HTML}
      ${ways.oidc === null ? EMPTY_HTML : markup`<p><a href="${oidcUrl}">Sign in with ${ways.oidc}</a></p>`}`,
  );

const passwordForm = (home: string, userCode: string, email: string): Html =>
  markup`<form method="post" action="${home}/sign-in">
      <input type="hidden" name="userCode" value="${userCode}" />
      <label for="email">E-mail address</label>
      <input id="email" name="email" type="email" autocomplete="username" value="${email}" required maxlength="254" />
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required maxlength="${PASSWORD_MAX}" />
      <label for="second">Authenticator app code, if you use one</label>
      <input id="second" name="code" autocomplete="one-time-code" maxlength="64" />
      <button>Sign in</button>
    </form>`;

/** Shows the code, and lets the person decide. @param name how the program names itself */
export const decisionPage = (home: string, userCode: string, name: string | null, { user, tenant, role }: Me): string =>
  page(
    TITLE,
    markup`<p>${name ?? 'A program'} wants to act for ${user.email} at ${tenant.name}, with the role ${role}.</p>
      <p>Approve only if you have just started this yourself, and your terminal shows this code:</p>
      <p class="code">${userCode}</p>
      <form method="post" action="${home}">
        <input type="hidden" name="userCode" value="${userCode}" />
        <button name="decision" value="approve">Approve</button>
        <button class="plain" name="decision" value="deny">Deny</button>
      </form>
      <p><a href="${home}?code=${userCode}&amp;as=other">Sign in as someone else</a></p>`,
  );

/** Says what was decided. */
export const DECIDED: Readonly<Record<'approve' | 'deny', string>> = {
  approve: page('Approved', markup`<p>Your terminal continues automatically. You can close this page.</p>`),
  deny: page('Denied', markup`<p>Nobody was logged in. You can close this page.</p>`),
};
