import { markup, EMPTY_HTML, page } from '../../../../common/http/index.js';
import { PASSWORD_MAX, PASSWORD_MIN } from '../password-rule.js';

/** Asks for a new password. The form is sent to the page's own path, without the link's query. @param fault what was wrong with the last one */
export const resetPage = (token: string, fault?: string): string =>
  page(
    'Set a new password',
    markup`${fault === undefined ? EMPTY_HTML : markup`<p role="alert">${fault}</p>`}
      <form method="post" action="reset-password">
        <input type="hidden" name="token" value="${token}" />
        <label for="new">New password, at least ${PASSWORD_MIN} characters</label>
        <input
          id="new" name="newPassword" type="password" autocomplete="new-password" minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}" required autofocus
        />
        <button>Set the password</button>
      </form>
      <p>This ends all your sessions.</p>`,
  );

export const RESET_DONE = page('Your password is changed', markup`<p>Log in with the new password from now on.</p>`);

/** A problem that another password does not solve. */
export const resetFailedPage = (title: string, message: string): string => page(title, markup`<p>${message}</p>`);
