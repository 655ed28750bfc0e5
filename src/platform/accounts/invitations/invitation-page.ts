import { markup, page, type PageAnswer } from '../../../common/http/index.js';
import type { TenantOfUser } from '../accounts.dto.js';
import { PASSWORD_MAX, PASSWORD_MIN } from '../passwords/index.js';
import type { InvitationOffer } from './invitations.dto.js';

/** Moves the secret from the link's fragment, which no server sees, into the form, out of sight and out of the address bar. */
const SCRIPT = `
const field = document.getElementById('token');
if (location.hash.length > 1) {
  field.value = location.hash.slice(1);
  document.querySelector('label').remove();
  field.type = 'hidden';
  history.replaceState(null, '', location.pathname);
}
`;

/** The page that a link opens. Only its button asks for the invitation, by POST. @param home the path of the page, as browsers see it */
export function askPage(home: string): PageAnswer {
  const look = { script: SCRIPT };
  const form = markup`<form method="post" action="${home}">
      <label for="token">The part of your link after the #</label>
      <input id="token" name="token" autocomplete="off" required maxlength="64" />
      <button>See the invitation</button>
    </form>`;
  return { page: page('Invitation', form, look), look };
}

/** Shows an invitation, and asks for a password: the same for an address with an account and one without. */
export const offerPage = (
  home: string,
  token: string,
  { tenantName, invitedBy, email, role }: InvitationOffer,
): string =>
  page(
    `Join ${tenantName}`,
    markup`<p>${invitedBy} invites ${email} to ${tenantName}, with the role ${role}.</p>
      <form method="post" action="${home}/accept">
        <input type="hidden" name="token" value="${token}" />
        <label for="password">
          The password of your account, or a new one of at least ${PASSWORD_MIN} characters if you have none
        </label>
        <input
          id="password" name="password" type="password" autocomplete="current-password" minlength="${PASSWORD_MIN}" maxlength="${PASSWORD_MAX}" required
        />
        <button>Join</button>
      </form>`,
  );

/** Says that it worked. */
export const joinedPage = ({ name, role }: TenantOfUser): string =>
  page(`You are a member of ${name}`, markup`<p>Your role is ${role}. Log in with your password from now on.</p>`);
